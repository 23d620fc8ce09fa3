/** Keys of maps and tracks alike, by place on the keyboard, whatever is printed on the key. */
export const ZOOM_KEYS: Readonly<Record<string, number>> = { KeyW: 1.25, KeyS: 0.8 };
export const PAN_KEYS: Readonly<Record<string, number>> = { KeyA: -0.1, KeyD: 0.1 };
