/** The commands that hold on every page. */
import { msg, str } from '@lit/localize';
import { type CommandGroup } from '../../../app/commands.js';
import { changePreferences } from '../../../app/preferences.js';
import { type Preferences, THEMES } from '../../../app/url-state.js';
import { themeCommandWords } from '../../../app/words.js';
import { type Services } from '../../services.js';
import { type PageEntry } from '../page.js';

/** What the shell can show over a page. */
export interface ShellScreens {
  readonly help: () => void;
  readonly palette: () => void;
  readonly settings: () => void;
}

export function shellCommands(
  { store, router }: Services,
  pages: readonly PageEntry[],
  screens: ShellScreens,
): CommandGroup {
  const change = (next: (preferences: Preferences) => Partial<Preferences>) =>
    changePreferences(store, (preferences) => ({ ...preferences, ...next(preferences) }));
  return {
    commands: [
      {
        id: 'palette',
        title: () => msg('All commands', { desc: 'command: opens the list of commands' }),
        keys: [{ key: 'k', modified: true }],
        run: screens.palette,
      },
      ...pages.map(({ name, title }) => ({
        id: `go-${name}`,
        title: () => msg(str`Go to ${title()}`, { desc: 'command: shows a page' }),
        isEnabled: () => store.value.page !== name,
        run: () => router.go(name),
      })),
      {
        id: 'present',
        title: () => msg('Presenter size on or off', { desc: 'command' }),
        keys: [{ key: 'P' }],
        run: () => change(({ presenting }) => ({ presenting: !presenting })),
      },
      {
        id: 'next-theme',
        title: () => msg('Next theme', { desc: 'command' }),
        keys: [{ key: 't' }],
        run: () => change(({ theme }) => ({ theme: THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system' })),
      },
      ...THEMES.map((theme) => ({
        id: `theme-${theme}`,
        title: () => themeCommandWords(theme),
        isEnabled: () => store.value.preferences.theme !== theme,
        run: () => change(() => ({ theme })),
      })),
      { id: 'settings', title: () => msg('Settings', { desc: 'command' }), run: screens.settings },
      {
        id: 'help',
        title: () => msg('Keyboard help', { desc: 'command' }),
        keys: [{ key: '?' }],
        run: screens.help,
      },
    ],
  };
}
