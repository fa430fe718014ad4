import { island } from '../mount';
import { Connect } from './Connect';
import { pluggyOpener } from './pluggy';

export const mount = island('connect', ({ context: { session, widgetType, customerName } }) => (
  <Connect
    session={session}
    updateFor={widgetType === 'update' ? customerName : undefined}
    openPluggy={pluggyOpener()}
  />
));
