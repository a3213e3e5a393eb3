import { Button, type ButtonProps } from '@chakra-ui/react';

/** The main action of an admin screen: in the colour of the text, because yellow means a booked call. */
export const MainButton = (props: ButtonProps) => (
  <Button bg="fg" color="bg" borderColor="fg" _hover={{ bg: 'fg.soft' }} {...props} />
);
