//! The form of the log lines: the fields of the event, and the ids of the request that it belongs
//! to.
//!
//! The ids come from the request's span. Fields of spans whose name has a dot are attributes for
//! OpenTelemetry, and are not part of a line.

use std::fmt::{self, Debug};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::Record,
};
use tracing_subscriber::{
    field::{MakeVisitor, RecordFields, VisitOutput},
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::{DefaultFields, Format, Json, Writer},
    },
    registry::LookupSpan,
};

/// The fields of a request's span that are part of each of its lines.
const IDS: [&str; 2] = ["request_id", "trace_id"];

/// Formats an event as one JSON object, in which the ids are on one level with the event's fields.
pub struct JsonLine(Format<Json>);

/// Formats the ids of a span as members of a JSON object, with a comma before each.
pub struct JsonIds;

/// Formats fields as text, without the attributes of spans.
pub struct TextFields;

impl Default for JsonLine {
    fn default() -> Self {
        let event = tracing_subscriber::fmt::format().json().flatten_event(true);
        Self(event.with_current_span(false).with_span_list(false))
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> FormatEvent<S, JsonIds> for JsonLine {
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonIds>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.0
            .format_event(context, Writer::new(&mut line), event)?;
        let open = line.trim_end().strip_suffix('}').ok_or(fmt::Error)?;
        writer.write_str(open)?;
        // From the event's span outwards: those inside the request's span have no ids.
        for span in context.event_scope().into_iter().flatten() {
            if let Some(ids) = span.extensions().get::<FormattedFields<JsonIds>>()
                && !ids.is_empty()
            {
                writer.write_str(ids)?;
                break;
            }
        }
        writer.write_str("}\n")
    }
}

impl<'w> FormatFields<'w> for JsonIds {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut members = JsonMembers(writer, Ok(()));
        fields.record(&mut members);
        members.1
    }

    /// Without the space that separates fields of text.
    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        self.format_fields(current.as_writer(), fields)
    }
}

struct JsonMembers<'w>(Writer<'w>, fmt::Result);

impl Visit for JsonMembers<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if self.1.is_ok() && IDS.contains(&field.name()) {
            let value = serde_json::Value::from(value);
            self.1 = write!(self.0, ",\"{}\":{value}", field.name());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if IDS.contains(&field.name()) {
            self.record_str(field, &format!("{value:?}"));
        }
    }
}

impl<'w> FormatFields<'w> for TextFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut visitor = WithoutAttributes(DefaultFields::new().make_visitor(writer));
        fields.record(&mut visitor);
        visitor.0.finish()
    }
}

struct WithoutAttributes<V>(V);

impl<V: Visit> Visit for WithoutAttributes<V> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if !field.name().contains('.') {
            self.0.record_str(field, value);
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        if !field.name().contains('.') {
            self.0.record_error(field, value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if !field.name().contains('.') {
            self.0.record_debug(field, value);
        }
    }
}
