import { Box, Button, Text } from '@chakra-ui/react';
import { mailto } from '../../server/contract/mailto.ts';
import type { SiteVariables } from '../../server/contract/pages.ts';
import { site } from '../../site.config.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { words } from '../ui/site-words.ts';
import { templateOf } from '../ui/template.tsx';
import { type BookingKind, bookings } from './schedulers.ts';

const copy = words.dialogs;

const { value } = templateOf<SiteVariables>();

/**
 * The dialog in which a visitor picks a time, on a page of this site or of a calendar elsewhere. It shows the
 * calendar in a frame of its size, which only narrow windows reduce. The frame is inside a template, so that
 * the calendar loads only when the dialog opens.
 */
export function BookingDialog({ kind }: { kind: BookingKind }) {
  const { title, text, address, service, width, height } = bookings[kind];
  const isOwn = address.startsWith('/');
  return (
    <Dialog id={kind} title={title} size="wide">
      <Text color="fg.soft">{text}</Text>
      <Box
        position="relative"
        isolation="isolate"
        minH={`${height}px`}
        mt="4"
        bg={isOwn ? undefined : 'bg.tint'}
        css={{
          '& iframe': { display: 'block', maxW: 'full' },
          // The text is behind the frame until the frame has loaded; `frames.ts` sets these attributes.
          '& p': {
            position: 'absolute',
            inset: '0',
            zIndex: '-1',
            display: 'grid',
            placeContent: 'start center',
            pt: '24',
          },
          '& a': { textDecoration: 'underline' },
          '& [data-failed]': { visibility: 'hidden' },
          '& :is([data-loaded], [data-failed]) + p': { display: 'none' },
          '& iframe:not([data-failed]) ~ [role=alert]': { display: 'none' },
        }}
      >
        <template data-on-open="">
          <iframe
            title={title}
            src={address}
            width={width}
            height={height}
            {...(!isOwn && {
              'data-webhook': service && value(`${service}Webhook`),
              loading: 'lazy',
              allow: 'payment',
              referrerPolicy: 'strict-origin-when-cross-origin',
            })}
          />
          <p>{copy.loading}</p>
          <p role="alert">
            <span>{words.offline.calendar}</span>
            <a href={mailto(site.brand.email, { subject: title })}>{site.brand.email}</a>
          </p>
        </template>
      </Box>
      {!isOwn && <Foot kind={kind} />}
    </Dialog>
  );
}

/** Below a calendar elsewhere: links for booking without its frame, in a new tab and by email. */
function Foot({ kind }: { kind: BookingKind }) {
  const { title, address, service } = bookings[kind];
  return (
    <Box
      position="relative"
      mb="-6"
      py="3"
      bg="bg"
      css={{
        // Where that leaves enough of a low window to the calendar.
        '@media (min-height: 30em)': { position: 'sticky', bottom: '-6' },
      }}
    >
      <Text
        role="status"
        data-late={copy.late}
        // The notice covers the foot of the empty frame, so that it shifts nothing.
        css={{
          '& span': { position: 'absolute', bottom: '100%', insetInline: '0', py: '2', bg: 'bg' },
        }}
      />
      <Text display="flex" flexWrap="wrap" columnGap="3" alignItems="center">
        <Button variant="plain" asChild>
          <NewTabLink href={address} data-webhook={service && value(`${service}Webhook`)}>
            {copy.newTab}
          </NewTabLink>
        </Button>
        <Button variant="plain" asChild>
          <a href={mailto(site.brand.email, { subject: title })}>{copy.orEmail}</a>
        </Button>
      </Text>
    </Box>
  );
}
