import { Workbench } from '../../../src/report/workbench/workbench.ts';
import { service } from './service.ts';

void new Workbench(service).start();
