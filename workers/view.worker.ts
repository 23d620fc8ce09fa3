import { expose } from 'comlink';
import { ViewPainter } from '../src/engine/view/view-painter.js';

expose(new ViewPainter());
