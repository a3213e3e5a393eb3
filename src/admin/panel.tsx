import { chakra } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

/** A titled part of the dashboard under a hairline, with room beside its title. */
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
    <chakra.section aria-labelledby={id} mt="12">
      <chakra.div
        display="flex"
        alignItems="center"
        gap="3"
        minH="11"
        borderBottom="1px solid"
        borderColor="hairline"
        pb="2"
      >
        <chakra.h2 id={id} textStyle="h3">
          {title}
        </chakra.h2>
        {aside}
      </chakra.div>
      {children}
    </chakra.section>
  );
}
