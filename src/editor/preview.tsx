/**
 * The draft as visitors will see it, in a frame. A click on a text leads to its field; typed words show at once, and the
 * rendered page follows when they are saved.
 */
import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { changesBetween, type Group } from '../../server/contract/document-changes.ts';
import { fetchOk } from '../api/http.ts';
import { Select } from '../ui/select.tsx';
import { useEditor } from './context.ts';
import { dressPage, outline, replaceText, sandbox, showField } from './preview-page.ts';
import { type Page, pages } from './sections.ts';

export type Scheme = 'light' | 'dark';
export type Device = 'desktop' | 'phone';

/** Widths of the page in the frame, in CSS pixels. */
const widths: Record<Device, number> = { desktop: 1280, phone: 390 };

interface Shown {
  address: string;
  /** What the page was rendered from. */
  document: Group;
}

export function Preview({
  page,
  onPage,
  scheme,
  device,
  version,
}: {
  page: Page;
  onPage: (page: Page) => void;
  scheme: Scheme;
  device: Device;
  /** A version of the history to show in place of the draft. */
  version: number | undefined;
}) {
  const { state, fields, selected, open, signedIn } = useEditor();
  const [attempt, setAttempt] = useState(0);
  const [sandboxed] = useState(sandbox);
  const [hasFailed, setHasFailed] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const query = new URLSearchParams({
    scheme,
    ...(version === undefined ? { r: String(state.revision) } : { version: String(version) }),
    ...(attempt > 0 && { attempt: String(attempt) }),
  });
  const address = `/api/site/preview/${page}?${query}`;
  // What is saved when the request starts: newer words are put into the page below.
  const requested = useRef<Shown>({ address, document: state.saved });
  if (requested.current.address !== address) {
    requested.current = { address, document: state.saved };
  }
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const pane = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const width = widths[device];
  const scale = size ? Math.min(1, size.width / width) : 1;

  const shownPage = shown && frames.current.get(shown.address)?.contentDocument;
  // Typed words, until the rendered page has them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outline follows the layout, which depends on the size
  useEffect(() => {
    if (!shownPage || !shown || version !== undefined) return;
    for (const { path, to } of changesBetween(fields.shape, shown.document, state.document)) {
      if (typeof to === 'string') replaceText(shownPage, path, to);
    }
    outline(shownPage, selected, selected && fields.at(selected)?.label);
  }, [shownPage, shown, state.document, selected, fields, version, size]);
  const isVisible = size !== undefined;
  useEffect(() => {
    if (shownPage && selected && isVisible) showField(shownPage, selected);
  }, [shownPage, selected, isVisible]);

  const onLoad = (frame: HTMLIFrameElement) => {
    const loaded = frame.contentDocument;
    const isPage = loaded?.contentType === 'text/html' && loaded.body.childElementCount > 0;
    setHasFailed(!isPage);
    if (!isPage) return;
    dressPage(loaded, {
      labelOf: (path) => fields.at(path)?.label,
      onPick: open,
      onLeave: () => selected && open(selected),
    });
    const old = shownPage?.scrollingElement;
    if (old && shown && isSamePage(shown.address, address)) {
      loaded.scrollingElement?.scrollTo({ top: old.scrollTop, behavior: 'instant' });
      for (const opened of shownPage.querySelectorAll('details[open][id]')) {
        loaded.getElementById(opened.id)?.setAttribute('open', '');
      }
    }
    setShown(requested.current);
  };

  /** The frame does not say why it failed; the same request of this page asks for a sign-in where that is the cause. */
  const tryAgain = async () => {
    await signedIn(() => fetchOk(address)).catch(() => {});
    setAttempt((n) => n + 1);
  };

  const addresses = [...new Set([...(shown ? [shown.address] : []), address])];
  return (
    <Flex direction="column" h="full" minH="0" gap="2">
      <Flex
        align="center"
        justify="space-between"
        gap="3"
        minH="8"
        px={{ base: '3', lg: '0' }}
        textStyle="small"
      >
        <Flex align="center" gap="2" color="fg.muted" flexShrink="0">
          <label htmlFor="preview-page">Page</label>
          <Select
            id="preview-page"
            value={page}
            minH="8"
            px="1"
            border="none"
            bg="transparent"
            fontWeight="700"
            onChange={({ target }) => onPage(target.value as Page)}
          >
            {Object.entries(pages).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </Flex>
        <Text color="fg.muted" hideBelow="sm" truncate minW="0">
          {device === 'phone'
            ? '390 px wide'
            : 'Choose a text or picture to edit it. Links do not work here.'}
        </Text>
      </Flex>
      {hasFailed && (
        <Text role="alert" fontWeight="600" color="line.red">
          <span>This page cannot be shown. </span>
          <Button
            type="button"
            variant="plain"
            minH="7"
            color="inherit"
            onClick={() => void tryAgain()}
          >
            Try again
          </Button>
        </Text>
      )}
      <Box ref={pane} flex="1" minH="0" position="relative" overflow="hidden">
        <Box
          position="absolute"
          insetBlock="0"
          insetInlineStart="50%"
          bg="bg.tint"
          borderWidth="2px"
          borderColor="fg"
          overflow="hidden"
          style={{ width: width * scale, transform: 'translateX(-50%)' }}
        >
          {addresses.map((one) => (
            <chakra.iframe
              key={one}
              ref={(frame: HTMLIFrameElement | null) => {
                if (frame) frames.current.set(one, frame);
                else frames.current.delete(one);
              }}
              title={one === shown?.address ? 'Preview of your site' : 'Preview, loading'}
              src={one}
              // The editor reaches into the page, and the page must not reach out.
              sandbox={sandboxed}
              tabIndex={-1}
              aria-hidden={one !== shown?.address}
              position="absolute"
              top="0"
              insetInlineStart="0"
              border="none"
              maxW="none"
              transformOrigin="0 0"
              visibility={one === shown?.address ? undefined : 'hidden'}
              style={{
                width,
                height: size ? (size.height - 4) / scale : undefined,
                transform: `scale(${scale})`,
              }}
              onLoad={({ currentTarget }) => {
                if (one === address && one !== shown?.address) onLoad(currentTarget);
              }}
            />
          ))}
        </Box>
      </Box>
    </Flex>
  );
}

const isSamePage = (a: string, b: string) => a.split('?')[0] === b.split('?')[0];

/** The size of an element, in px. */
function useSize(element: React.RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number }>();
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? {};
      if (width && height) setSize({ width, height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
