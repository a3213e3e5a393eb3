import { Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { inMegabytes, pluralize } from '../../server/contract/numbers.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Details } from '../admin/details.tsx';
import { useDownload } from '../admin/owner-api.tsx';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { Table } from '../admin/table.tsx';
import { trpc } from '../api/trpc.ts';

/** Downloads a backup, says how to restore it, and lists those on the server. */
export function BackupPanel() {
  const { data, error } = trpc.settings.backups.useQuery();
  const [hasStarted, setHasStarted] = useState(false);
  const onClick = useDownload(() => setHasStarted(true));
  useLeaveWhenSignedOut(error);
  return (
    <>
      <Note>
        One file with your messages, bookings, sales, figures and the password’s hash, made and
        checked now. It holds personal data: keep it private. Copy .env, site.config.ts and public
        yourself.
      </Note>
      {data?.problem && (
        <OwnerAlert role="alert">{`The backup cannot be made now. ${data.problem}`}</OwnerAlert>
      )}
      <Flex mt="4">
        <Button asChild minH="11">
          {/* Without `download`: so that the browser shows the reason where none can be made. */}
          <a href="/api/backup" onClick={onClick}>
            Download a backup
          </a>
        </Button>
      </Flex>
      <StatusLine>
        {hasStarted && 'The backup is being made. Its download starts by itself, within minutes.'}
      </StatusLine>
      <Text>
        To restore it, stop the site and run <code>npm run admin -- restore</code> with the path of
        the file.
      </Text>
      {error && (
        <OwnerAlert role="alert">Could not load the list of backups. Reload the page.</OwnerAlert>
      )}
      {data && !data.isNightly && (
        <Note>On PostgreSQL the site makes no nightly backups: use those of your provider.</Note>
      )}
      {data?.isNightly && data.backups.length === 0 && (
        <Note>There is no nightly backup yet. The site makes one each night at three.</Note>
      )}
      {data && data.backups.length > 0 && (
        <Details>
          <summary>{`${pluralize(data.backups.length, 'backup')} on the server`}</summary>
          <Table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Made</th>
                <th scope="col">Size</th>
              </tr>
            </thead>
            <tbody>
              {data.backups.map(({ name, at, bytes }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{dateAndTime(at)}</td>
                  <td>{inMegabytes(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Details>
      )}
    </>
  );
}
