import { chakra } from '@chakra-ui/react';
import { type ComponentProps, type RefObject, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Input } from './field.tsx';

/**
 * A password field with a toggle that shows its value. It is uncontrolled, so that the value is never
 * in the markup. It hides the value again on submit, so that the browser treats it as a password,
 * and when the page is restored from the back/forward cache.
 */
export function PasswordInput({
  ref,
  id,
  ...props
}: Omit<ComponentProps<typeof Input>, 'ref' | 'type'> & {
  ref: RefObject<HTMLInputElement | null>;
  id: string;
}) {
  // Undefined until the first toggle, so that the status is empty at first.
  const [isVisible, setVisible] = useState<boolean>();

  useEffect(() => {
    const hide = () => setVisible((was) => was && false);
    const hideOnReturn = (event: PageTransitionEvent) => event.persisted && hide();
    const form = ref.current?.form;
    form?.addEventListener('submit', hide);
    window.addEventListener('pageshow', hideOnReturn);
    return () => {
      form?.removeEventListener('submit', hide);
      window.removeEventListener('pageshow', hideOnReturn);
    };
  }, [ref]);

  return (
    <chakra.div position="relative">
      <Input
        {...props}
        ref={ref}
        id={id}
        type={isVisible ? 'text' : 'password'}
        pe="4.25rem"
        spellCheck={false}
        autoCapitalize="none"
      />
      <Button
        type="button"
        variant="link"
        aria-controls={id}
        onClick={() => setVisible(!isVisible)}
        position="absolute"
        insetEnd="0"
        top="0"
        px="3"
      >
        <span>
          {isVisible ? 'Hide' : 'Show'}
          <chakra.span srOnly> password</chakra.span>
        </span>
      </Button>
      <chakra.span role="status" aria-live="polite" srOnly>
        {isVisible === undefined ? '' : `Your password is ${isVisible ? 'visible' : 'hidden'}`}
      </chakra.span>
    </chakra.div>
  );
}
