//! Chances without error.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;

/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: BigUint,
    denominator: BigUint,
}

impl Fraction {
    /// A fraction, brought to lowest terms. A denominator of 0 counts as 1.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Self {
        let one = BigUint::from(1u8);
        let denominator = if denominator == BigUint::ZERO { one } else { denominator };
        let common = numerator.gcd(&denominator);
        Self {
            numerator: numerator / &common,
            denominator: denominator / common,
        }
    }

    /// The number above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// The number below the line, never 0.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// The nearest decimal, to within two units of its last place.
    pub fn value(&self) -> f64 {
        ratio(&self.numerator, &self.denominator)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// A quotient of large numbers. Both may be far beyond what a decimal can hold.
pub(super) fn ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    if *numerator == BigUint::ZERO {
        return 0.0;
    }
    // Shifted so that the quotient has 64 or 65 bits: more than a decimal keeps.
    let shift = denominator.bits() as i64 - numerator.bits() as i64 + 64;
    let quotient = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << shift.unsigned_abs())
    };
    let high = quotient
        .iter_u64_digits()
        .rev()
        .fold(0.0, |sum, digit| sum * 18_446_744_073_709_551_616.0 + digit as f64);
    let half = (-shift / 2) as i32;
    // In two steps, so that no power is too small by itself.
    high * 2f64.powi(half) * 2f64.powi((-shift) as i32 - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        let fraction = Fraction::new(BigUint::from(2890u32), BigUint::from(7776u32));
        assert_eq!(fraction.to_string(), "1445/3888");
        assert_eq!(Fraction::new(BigUint::ZERO, BigUint::from(9u8)).to_string(), "0/1");
    }

    #[test]
    fn decimals_of_large_fractions_are_right_to_the_last_digits() {
        let power = |base: u32, exponent: u32| BigUint::from(base).pow(exponent);
        assert!((ratio(&power(2, 300), &power(3, 300)) / (2f64 / 3.0).powi(300) - 1.0).abs() < 1e-13);
        assert!((ratio(&BigUint::from(1u8), &BigUint::from(3u8)) - 1.0 / 3.0).abs() < 1e-16);
        assert!((ratio(&power(7776, 200), &(power(7776, 200) + 1u8)) - 1.0).abs() < 1e-15);
        assert!((ratio(&power(10, 40), &BigUint::from(7u8)) / (1e40 / 7.0) - 1.0).abs() < 1e-14);
        assert!((ratio(&BigUint::from(1u8), &power(2, 1000)) / 2f64.powi(-1000) - 1.0).abs() < 1e-15);
    }
}
