//! `Debug` for personal data.

/// Implements `Debug` without the values, which are personal data: a log line may print any value.
#[macro_export]
macro_rules! debug_without_values {
    ($($type:ident),+ $(,)?) => {$(
        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(concat!(stringify!($type), "(…)"))
            }
        }
    )+};
}
