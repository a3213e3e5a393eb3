import { Button, Text } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';

const { title, text, action } = site.dialogs.quiz;

/** The popup that invites to the email quiz. `trigger.ts` and `opening.ts` decide when it opens. */
export function QuizPopup() {
  return (
    <Dialog id="quiz" title={title} size="sheet">
      <Text color="fg.soft" mb="4">
        {text}
      </Text>
      <Button variant="solid" asChild>
        <NewTabLink href={site.links.quiz} data-cta="quiz">
          {action}
        </NewTabLink>
      </Button>
    </Dialog>
  );
}
