import { Container, type ContainerProps } from '@chakra-ui/react';

/** The content of a screen, below its header. It is hidden until its data arrive, so that nothing moves then. */
export const ScreenContent = ({ isLoading, ...props }: ContainerProps & { isLoading: boolean }) => (
  <Container
    fluid
    pb="16"
    aria-busy={isLoading}
    visibility={isLoading ? 'hidden' : undefined}
    {...props}
  />
);
