import { chakra, createRecipeContext } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useId } from 'react';

/** Props that connect a control to its label, hint and error: spread them on the control. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/**
 * A labelled control. Screen readers announce its hint and error with it, and an error also when it
 * appears.
 *
 *     <Field label="Name">{(control) => <Input {...control} name="name" required />}</Field>
 */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const hintId = hint ? `${id}hint` : undefined;
  const errorId = error ? `${id}error` : undefined;
  return (
    <div>
      <chakra.label htmlFor={id} display="block" mb="1" fontWeight="600">
        {label}
      </chakra.label>
      {children({
        id,
        'aria-describedby': [hintId, errorId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <chakra.p id={hintId} mt="1" textStyle="small" color="fg.muted">
          {hint}
        </chakra.p>
      )}
      {error && (
        <chakra.p id={errorId} role="alert" mt="2" textStyle="small" color="line.red">
          {error}
        </chakra.p>
      )}
    </div>
  );
}

const { withContext } = createRecipeContext({ key: 'input' });

/** A single-line text field. */
export const Input = withContext<HTMLInputElement, ComponentProps<typeof chakra.input>>('input');

/** A multi-line text field. */
export const Textarea = withContext<HTMLTextAreaElement, ComponentProps<typeof chakra.textarea>>(
  'textarea',
);
