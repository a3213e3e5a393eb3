import { Flex, Link } from '@chakra-ui/react';
import { useContext } from 'react';
import { filterTexts } from '../admin/filter-names.ts';
import { useDownload } from '../admin/owner-api.tsx';
import type { Report } from '../admin/report.ts';
import { IsSample } from '../admin/sample.tsx';

/** Links that download the rows of the period and everything else the owner has collected, as CSV. */
export function Exports({ report: { days, filter, timeWindow } }: { report: Report }) {
  const isSample = useContext(IsSample);
  const onDownload = useDownload();
  const all = filterTexts(filter).length > 0 ? ', without the filter' : '';
  const files = timeWindow
    ? [
        { path: '/api/analytics/sales.csv', name: `Sales of ${days} days`, timeWindow },
        { path: '/api/analytics/activity.csv', name: `Activity of ${days} days`, timeWindow },
        ...everything,
      ]
    : everything;
  return (
    <Flex
      role="group"
      aria-label="Exports"
      wrap="wrap"
      columnGap="5"
      mt={{ base: '10', lg: '12' }}
      pt="3"
      borderTop="1px solid {colors.hairline}"
      textStyle="small"
      color="fg.muted"
    >
      <Flex as="p" align="center" minH="11">
        {isSample ? 'Export as CSV: off, because sample data is shown.' : `Export as CSV${all}:`}
      </Flex>
      {!isSample &&
        files.map(({ path, name, timeWindow }) => (
          <Link
            key={path}
            href={timeWindow ? `${path}?${new URLSearchParams({ ...timeWindow })}` : path}
            download
            onClick={onDownload}
            variant="underline"
            color="fg"
            fontWeight="600"
            display="flex"
            alignItems="center"
            minH="11"
          >
            {name}
          </Link>
        ))}
    </Flex>
  );
}

const everything = [
  { path: '/api/messages.csv', name: 'Stored messages', timeWindow: undefined },
  { path: '/api/bookings.csv', name: 'Stored bookings', timeWindow: undefined },
];
