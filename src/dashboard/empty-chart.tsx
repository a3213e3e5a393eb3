import { chakra, Flex, Link, SimpleGrid, Text } from '@chakra-ui/react';
import { lazy } from 'react';
import { MainButton } from '../admin/main-button.tsx';
import { Optional } from '../ui/optional.tsx';

const FirstSteps = lazy(() =>
  import('../admin/launch.tsx').then((m) => ({ default: m.FirstSteps })),
);

/** In the place of the chart when there is nothing to draw; on a new site with what to do next. */
export function EmptyChart({
  isOfMeasure,
  hasVisits,
  onShowSample,
}: {
  /** False for the page views of a button. */
  isOfMeasure: boolean;
  hasVisits: boolean;
  onShowSample: () => void;
}) {
  if (hasVisits) {
    return (
      <Text textStyle="h4" py="6" minH="10rem">
        {isOfMeasure ? 'None in this period' : 'Page views belong to no button'}
      </Text>
    );
  }
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6" rowGap="10" py="6">
      <div>
        <Text textStyle="h4">No visits yet</Text>
        <Text color="fg.muted" mt="1">
          The first visit appears here within 30 seconds. Your own visits do not count.
        </Text>
        <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="4">
          <MainButton type="button" onClick={onShowSample}>
            Show sample data
          </MainButton>
          <Link href="/" variant="underline" fontWeight="600" py="2">
            Open your site
          </Link>
        </Flex>
        <SampleLine />
        <Text textStyle="small" color="fg.muted" mt="2">
          Sample data shows two years of visits, calls and sales. It never mixes with yours.
        </Text>
      </div>
      <Optional>
        <FirstSteps />
      </Optional>
    </SimpleGrid>
  );
}

/** A faint line without figures, in the form of the chart to come. */
const SampleLine = () => (
  <chakra.svg
    viewBox="0 0 300 64"
    aria-hidden="true"
    w="full"
    maxW="36rem"
    mt="5"
    fill="none"
    stroke="hairline"
    strokeWidth="1.5"
    vectorEffect="non-scaling-stroke"
  >
    <path d="M0 62.5h300" strokeWidth="0.75" />
    <path d="M0 58l12-28 24-1 12-2 12 3 12-5 12 2 12 14 12 2 12-18 24 2 12-3 12 4 12 12 12 4 12-36 24-1 12 18 24 0 12 12 12 2 12-14 12 8" />
  </chakra.svg>
);
