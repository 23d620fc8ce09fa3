import { expect, it } from 'vitest';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { ExportMenu } from './export-menu.js';

it('lists every format and asks for the one that is chosen', async () => {
  const menu = await mount(new ExportMenu());
  const formats = collect(menu, 'app-export-requested');
  const pictures = collect(menu, 'app-picture-requested');
  const links = collect(menu, 'app-link-requested');
  const list = find(menu, '.menu', HTMLElement);
  button(menu, 'Export').click();
  expect(list.matches(':popover-open')).toBe(true);
  const items = [...list.querySelectorAll('button')];
  expect(items.map((item) => textOf(item))).toEqual([
    'Report JSON',
    'Rows CSV',
    'Raw samples CSV',
    'Summary Markdown',
    'Test results JUnit XML',
    'Page for sharing HTML',
    'All charts PNG',
    'Copy link to this view URL',
  ]);
  for (const item of items) {
    list.showPopover();
    item.click();
    expect(list.matches(':popover-open')).toBe(false);
  }
  expect(formats.map(({ format }) => format)).toEqual(['json', 'rows', 'samples', 'markdown', 'junit', 'html']);
  expect(pictures.map(({ charts }) => charts)).toEqual([['bandwidth', 'latency', 'tiers']]);
  expect(links).toHaveLength(1);
});

it('cannot be opened before there is anything to export', async () => {
  const menu = await mount(new ExportMenu(), { disabled: true });
  expect(button(menu, 'Export').disabled).toBe(true);
});
