import { island } from '../mount';
import { Connect } from './Connect';

export const mount = island('connect', ({ context: { session, widgetType, customerName, bank } }) => (
  <Connect session={session} firm={customerName} bank={bank} isUpdate={widgetType === 'update'} />
));
