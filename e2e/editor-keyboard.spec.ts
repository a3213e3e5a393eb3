/** The editor without a mouse, with the colours of the page and with those of the system. */
import { editByKeyboard } from './editor-keyboard.ts';
import { openDashboard } from './screens.ts';
import { testOnEmptySite as test } from './site.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const modes = process.env.TEST_LONG ? (['none', 'active'] as const) : (['none'] as const);

for (const forcedColors of modes) {
  test.describe(`with forced colours ${forcedColors}`, () => {
    test.use({ contextOptions: { forcedColors, reducedMotion: 'reduce' } });

    test(`the owner edits, publishes and takes back without a mouse, with forced colours ${forcedColors}`, async ({
      page,
      emptySite,
    }) => {
      await openDashboard(page, emptySite);
      await editByKeyboard({
        press: (key) => page.keyboard.press(key),
        type: (text) => page.keyboard.type(text),
        evaluate: (run, selector) => page.evaluate(run, selector) as never,
        home: async () => (await page.request.get('/')).text(),
      });
    });
  });
}
