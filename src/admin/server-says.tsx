import { Text } from '@chakra-ui/react';
import { Details } from './details.tsx';

/** The mail server's own sentence, beneath what to do about it. */
export const ServerSays = ({ error }: { error: string }) => (
  <Details mt="0">
    <summary>What the mail server says</summary>
    <Text textStyle="small" color="fg" fontWeight="400">
      {error}
    </Text>
  </Details>
);
