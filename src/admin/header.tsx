import { Container, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The header of an admin screen: its title and, as children, its buttons. */
export function AdminHeader({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: string;
  children: ReactNode;
}) {
  return (
    <Container
      as="header"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="6"
      rowGap="4"
      py="5"
      borderBottom="4px solid"
      borderColor="fg"
    >
      <div>
        <Heading as="h1" textStyle="h2" fontSize="clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)">
          {title}
        </Heading>
        <Text color="fg.muted" mt="1">
          {subtitle}
        </Text>
      </div>
      <Flex wrap="wrap" gap="3">
        {children}
      </Flex>
    </Container>
  );
}
