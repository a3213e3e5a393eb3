import { Box } from '@chakra-ui/react';
import { optIn } from '../../site.defaults.ts';

const { class: className, ...attributes } = optIn.place;

/** The opt-in script, which `opt-in.ts` copies into the head, and the element for its form. */
export function OptInForm() {
  if (!optIn.script) return null;
  return (
    <>
      <template id="opt-in">
        <script {...optIn.attributes} src={optIn.script} />
      </template>
      <Box mt="12" _empty={{ mt: '0' }} className={className} {...attributes} />
    </>
  );
}
