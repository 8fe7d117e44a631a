// The entry of the bundle for goja, which has no modules and no timers.
import { svg } from './svg.js';

/** @type {any} */ (globalThis).pgkneeSVG = svg;
