import { chakra } from '@chakra-ui/react';
import { type ComponentProps, type RefObject, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Input } from './field.tsx';

/**
 * A password field that can be shown. Uncontrolled: what is typed never enters the document's markup.
 * It hides again when its form is submitted, so that the browser knows it for a password, and when
 * the page comes back out of the browser's history.
 */
export function PasswordInput({
  ref,
  id,
  ...props
}: Omit<ComponentProps<typeof Input>, 'ref' | 'type'> & {
  ref: RefObject<HTMLInputElement | null>;
  id: string;
}) {
  // Undefined until the first toggle: before that there is nothing to announce.
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
