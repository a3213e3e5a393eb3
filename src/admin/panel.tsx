import { Box, Flex, Heading, Text, type TextProps } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { SampleTag } from './sample.tsx';

/** An explanatory note below a panel's content. */
export const Note = (props: TextProps) => (
  <Text textStyle="small" color="fg.muted" maxW="65ch" mt="3" {...props} />
);

/** A titled section of the dashboard; `aside` stands next to the title. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Box as="section" aria-labelledby={id} mt={{ base: '10', lg: '12' }}>
      <Flex
        wrap="wrap"
        align="center"
        columnGap="3"
        minH="11"
        borderBottom="1px solid"
        borderColor="hairline"
      >
        <Heading id={id} textStyle="h3" fontSize="1.375rem">
          {title}
        </Heading>
        <SampleTag />
        {aside}
      </Flex>
      {children}
    </Box>
  );
}
