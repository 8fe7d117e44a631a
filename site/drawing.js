// The parts of ECharts that pgknee draws with; the bundler leaves out the rest.
import * as echarts from 'echarts/core';
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, AxisPointerComponent, DataZoomComponent, GraphicComponent, GridComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { register } from './render.js';

echarts.use([
  LineChart, ScatterChart, CustomChart,
  GridComponent, TooltipComponent, AxisPointerComponent, TitleComponent, GraphicComponent, MarkLineComponent, MarkAreaComponent, DataZoomComponent, AriaComponent,
  LabelLayout, SVGRenderer,
]);
register(echarts);

export { echarts };
