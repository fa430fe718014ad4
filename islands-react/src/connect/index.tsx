import { island } from '../mount';
import { Connect } from './Connect';

export const mount = island('connect', ({ context: { session, widgetType, customerName } }) => (
  <Connect session={session} updateFor={widgetType === 'update' ? customerName : undefined} />
));
