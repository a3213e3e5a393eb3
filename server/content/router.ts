import { z } from 'zod';
import type { Group } from '../contract/document-changes.ts';
import { count, isoTime, omittable } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { isoOf } from '../time/iso.ts';
import { ApiError } from '../trpc/errors.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';
import { complete } from './document.ts';
import { fieldComments } from './field-comments.ts';
import { siteField, siteFields } from './fields.ts';
import { changesBetween, isApplicable, storable } from './patch.ts';
import type { ContentServices } from './services.ts';
import type { Published } from './store.ts';

/** Versions in one page of the history. */
const pageSize = 50;

/** Maximum length of a note in characters. */
const maxNote = 200;

/** Maximum length of a new value as JSON, in characters: a later patch must have room for it beside another one. */
const maxText = 2_000_000;

const path = z.string().describe('Such as `hero.title` or `faq.items.1.question`.');
const anyValue = z.unknown().optional();

const patch = z
  .object({
    path,
    from: anyValue.describe('The value that `to` replaces.'),
    to: anyValue,
  })
  .transform(storable)
  .refine(({ to }) => (JSON.stringify(to)?.length ?? 0) <= maxText, {
    error: 'This text is too long to be stored. Please shorten it.',
    path: ['to'],
    abort: true,
  })
  .refine(isApplicable, {
    error: 'The site has no such field, or the field takes another kind of value.',
    path: ['path'],
  });

const mistakes = z.array(z.object({ path, message: z.string() }));
const revision = count.describe('Increases with each change of the draft.');

const changes = z.array(z.object({ path, from: anyValue, to: anyValue }));

const draftOutput = z.object({
  document: z.record(z.string(), z.unknown()).describe('As in `site.config.ts`.'),
  revision,
  live: z
    .object({ version: count, publishedAt: isoTime })
    .nullable()
    .describe('The published version; null while `site.config.ts` is live.'),
  changes: changes.describe(
    'What differs from the live site. Adding, removing and moving entries changes their list.',
  ),
  mistakes: mistakes.describe('What keeps the draft from being published.'),
  file: z
    .object({ version: count, changes })
    .nullable()
    .describe('What a `site.config.ts` changed since the last publish would change in the draft.'),
  isReadOnly: z.boolean().describe('Whether SITE_CONTENT pins `site.config.ts`.'),
});

const fields = siteFields(fieldComments);

const saveOutput = z.object({
  revision,
  mistakes,
  conflicts: z
    .array(z.object({ path, yours: anyValue, theirs: anyValue }))
    .describe('Patches that were not applied, because `from` is not the value of the draft.'),
});

const versionsOutput = z.object({
  versions: z.array(
    z.object({
      version: count,
      at: isoTime,
      state: z
        .enum(['published', 'discarded', 'file'])
        .describe('`file` is what `site.config.ts` said.'),
      note: omittable(z.string()),
      paths: z.array(path).describe('What differed from the live site.'),
    }),
  ),
  next: omittable(z.string()).describe('`before` of the next page.'),
});

/** The procedures `site.*`: the draft of the site's document, publishing and the history. */
export const siteRouter = router({
  draft: adminProcedure({ summary: 'Read the draft of the site', errors: ['CONTENT_UNREADABLE'] })
    .output(draftOutput)
    .query(async ({ ctx: { content } }) => {
      const { live, draft, revision, fileChanges } = content.isPinned
        ? pinned(content)
        : await content.store.state(content.file);
      return {
        document: draft,
        revision,
        live: live.version
          ? { version: live.version.id, publishedAt: isoOf(live.version.publishedAt) }
          : null,
        changes: changesBetween(live.document, draft),
        mistakes: await mistakesOf(content, draft),
        file: fileChanges,
        isReadOnly: content.isPinned,
      };
    }),

  fields: adminProcedure({
    summary: 'List the fields of the site',
    description: 'In the order of `site.config.ts`, each group and list before its parts.',
  })
    .output(z.object({ fields: z.array(siteField) }))
    .query(() => ({ fields })),

  /** Patches keep the edits of two browsers apart; a text with a mistake is stored all the same. */
  save: adminMutation({
    summary: 'Change the draft of the site',
    description:
      'Applies each patch whose `from` is the value of the draft, and returns the others.',
    errors: ['CONTENT_IN_FILE', 'CONTENT_UNREADABLE', 'UPLOAD_TOO_LARGE'],
  })
    .input(z.object({ patches: z.array(patch) }))
    .output(saveOutput)
    .mutation(async ({ ctx: { content, now }, input: { patches } }) => {
      const saved = await storeOf(content).save({ file: content.file, now: now(), patches });
      const { revision, document, conflicts } = saved;
      return { revision, mistakes: await mistakesOf(content, document), conflicts };
    }),

  publish: adminMutation({
    summary: 'Publish the draft of the site',
    description: 'Responds once this instance shows it; others follow within seconds.',
    errors: ['DRAFT_CHANGED', 'CONTENT_IN_FILE', 'CONTENT_UNREADABLE', 'CONFIRM_PASSWORD'],
  })
    .input(
      z.object({
        revision: count.describe('That of the draft to publish.'),
        note: storableText
          .trim()
          .max(maxNote, `Please shorten the note to ${maxNote} characters.`)
          .optional(),
        paths: z
          .array(path)
          .optional()
          .describe('Only these fields and what is beneath them go live; the rest stays a draft.'),
      }),
    )
    .output(z.object({ version: count, publishedAt: isoTime }))
    .mutation(async ({ ctx, input: { note, ...input } }) => {
      const { content, now, session } = ctx;
      const { file, mistakesIn, prepare } = content;
      const result = await storeOf(content).publish({
        ...input,
        note: note || undefined,
        ...{ file, mistakesIn, prepare, now: now() },
        isConfirmed: await session.isConfirmed(),
        actOn: (detail) => ctx.act('site_published', detail),
      });
      const { version, publishedAt } = await shown(content, result);
      return { version, publishedAt: isoOf(publishedAt) };
    }),

  discard: adminMutation({
    summary: 'Discard the draft of the site',
    description: 'The draft equals the live site again. What was discarded stays in the history.',
    errors: ['CONTENT_IN_FILE', 'CONTENT_UNREADABLE'],
  })
    .output(z.object({ revision }))
    .mutation(async ({ ctx: { content, now } }) => ({
      revision: await storeOf(content).discard({ file: content.file, now: now() }),
    })),

  versions: adminProcedure({
    summary: 'List the history of the site',
    description: `The newest first, ${pageSize} a page.`,
  })
    .input(
      z
        .object({
          before: z
            .string()
            .regex(/^\d{1,15}$/, 'before must be the value of next on the page before.')
            .transform(Number)
            .optional(),
        })
        .optional(),
    )
    .output(versionsOutput)
    .query(async ({ ctx, input }) => {
      const found = await ctx.content.store.versions({
        before: input?.before,
        limit: pageSize + 1,
      });
      const page = found.slice(0, pageSize);
      return {
        versions: page.map(({ id, madeAt, state, note, paths }) => ({
          version: id,
          at: isoOf(madeAt),
          state,
          note: note ?? undefined,
          paths,
        })),
        next: found.length > pageSize ? String(page.at(-1)?.id) : undefined,
      };
    }),

  /** The draft before stays in the history, or with `publish` the draft. */
  restore: adminMutation({
    summary: 'Restore a version of the site',
    description:
      'The draft equals that version. With `publish` the version is live again instead, and unpublished changes stay in the draft.',
    errors: [
      'VERSION_NOT_FOUND',
      'VERSION_UNREADABLE',
      'CONTENT_IN_FILE',
      'CONTENT_UNREADABLE',
      'CONFIRM_PASSWORD',
    ],
  })
    .input(z.object({ version: count, publish: z.boolean().optional() }))
    .output(z.object({ revision }))
    .mutation(async ({ ctx, input: { version, publish } }) => {
      const { content, now, session } = ctx;
      const { file, mistakesIn, prepare } = content;
      const act = { file, version, now: now() };
      if (publish) {
        const result = await storeOf(content).republish({
          ...{ ...act, mistakesIn, prepare },
          isConfirmed: await session.isConfirmed(),
          actOn: (detail) => ctx.act('site_published', detail),
        });
        return { revision: (await shown(content, result)).revision };
      }
      const revision = await storeOf(content).restore(act);
      if (revision === undefined) throw new ApiError('VERSION_NOT_FOUND');
      return { revision };
    }),
});

/** The mistakes in a draft. */
const mistakesOf = async ({ mistakesIn, photos }: ContentServices, draft: Group) =>
  mistakesIn(draft, await photos.photosIn(draft));

/** Throws `CONTENT_IN_FILE` when the file is pinned. */
function storeOf({ isPinned, store }: ContentServices) {
  if (isPinned) throw new ApiError('CONTENT_IN_FILE');
  return store;
}

/** Shows what is published now. Throws the error of a refused publish. */
async function shown({ showLive }: ContentServices, result: Published) {
  if (result === 'changed') throw new ApiError('DRAFT_CHANGED');
  if (result === 'unconfirmed') throw new ApiError('CONFIRM_PASSWORD');
  if (result === 'unknown') throw new ApiError('VERSION_NOT_FOUND');
  if ('mistakes' in result) throw new ApiError('VALIDATION', { issues: result.mistakes });
  await showLive();
  return result;
}

function pinned({ file }: ContentServices) {
  const document = complete(file, file);
  return {
    live: { document, version: undefined },
    draft: document,
    revision: 0,
    fileChanges: null,
  };
}
