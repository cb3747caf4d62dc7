//! Shares as people write them.

use crate::texts::{decimal, text};

/// A share as people write it: 99.9%. What is possible is not written as 0%, what is not certain not as 100%.
pub(crate) fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round();
    if share > 0.0 && tenths < 1.0 {
        text!("percent-less", value = decimal(0.1, 1))
    } else if share < 1.0 && tenths > 999.0 {
        text!("percent-more", value = decimal(99.9, 1))
    } else {
        let decimals = usize::from(tenths % 10.0 != 0.0);
        text!("percent", value = decimal(tenths / 10.0, decimals))
    }
}
