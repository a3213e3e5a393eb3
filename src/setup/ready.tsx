/** The end: what visitors see, what is left of the sample, and where to go on. */
import { Box, Button, Text } from '@chakra-ui/react';
import { pluralize } from '../../server/contract/numbers.ts';
import { useSamplePaths } from '../editor/use-sample-paths.ts';
import { OutIcon } from '../ui/icons.tsx';
import { Frame } from './frame.tsx';
import { isThisComputer } from './this-computer.ts';

/** `isLocked`: the texts come from `site.config.ts`, so that no step before this one changes anything. */
export function Ready({ isLocked }: { isLocked: boolean }) {
  const samples = useSamplePaths().length;
  const who = isThisComputer()
    ? 'Only this computer can open this address.'
    : 'Visitors can open it now.';
  const left =
    samples === 0
      ? ''
      : ` ${pluralize(samples, 'thing')} still ${samples === 1 ? 'comes' : 'come'} from the sample.`;
  return (
    <Frame
      station="Ready"
      title="Your site is ready."
      lead={
        isLocked ? `${who} Its texts come from site.config.ts (SITE_CONTENT=file).` : who + left
      }
      foot={
        // Loaded anew, since the name and colours of the app are those of its page.
        <>
          <Button asChild bg="fg" color="bg" borderColor="fg" _hover={{ bg: 'fg.soft' }}>
            <a href="/analytics/site">{isLocked ? 'Look at my words' : 'Write my words'}</a>
          </Button>
          <Button asChild>
            <a href="/" target="_blank" rel="noopener">
              Look at the site <OutIcon />
            </a>
          </Button>
          <Button asChild variant="plain" ms={{ md: 'auto' }}>
            <a href="/analytics">Go to the dashboard</a>
          </Button>
        </>
      }
    >
      <Shot />
      <Text mt="3">
        <b>Your address:</b> {location.origin}
        {isThisComputer() && (
          <Box as="span" color="fg.muted">
            {' (this computer only)'}
          </Box>
        )}
      </Text>
    </Frame>
  );
}

/** The top of the site, as wide as on a desktop and made smaller. */
const Shot = () => (
  <Box
    aria-hidden
    mt="5"
    borderWidth="2px"
    borderColor="fg"
    overflow="hidden"
    position="relative"
    aspectRatio={{ base: '3 / 2', md: '3 / 1' }}
  >
    <Box
      asChild
      border="0"
      pointerEvents="none"
      maxW="none"
      w="200%"
      h="200%"
      transformOrigin="0 0"
      transform="scale(0.5)"
    >
      <iframe src="/api/site/preview/home" title="Your site" tabIndex={-1} inert />
    </Box>
  </Box>
);
