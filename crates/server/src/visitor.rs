//! Who is asking: visitors are told apart by the address from which they connect.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;

use crate::listener::CappedListener;

/// A visitor. All who come through the same proxy or router are one; so is everybody on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Visitor(IpAddr);

impl Visitor {
    /// The visitor at an address.
    pub(crate) fn at(address: SocketAddr) -> Visitor {
        Visitor(match address.ip().to_canonical() {
            IpAddr::V4(ip) => ip.into(),
            // A household has 2^64 addresses of version 6, and may ask from all of them.
            IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        })
    }

    /// For tests: one of several.
    #[cfg(test)]
    pub(crate) fn number(number: u8) -> Visitor {
        Visitor([10, 0, 0, number].into())
    }
}

impl Connected<IncomingStream<'_, CappedListener>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, CappedListener>) -> Visitor {
        Visitor::at(*stream.remote_addr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(text: &str) -> Visitor {
        Visitor::at(text.parse().expect("an address"))
    }

    #[test]
    fn a_visitor_is_an_address_or_a_network_of_version_6() {
        assert_eq!(visitor("10.0.0.1:5"), visitor("10.0.0.1:6"));
        assert_ne!(visitor("10.0.0.1:5"), visitor("10.0.0.2:5"));
        assert_eq!(visitor("10.0.0.1:5"), visitor("[::ffff:10.0.0.1]:5"));
        assert_eq!(visitor("[2001:db8::1]:5"), visitor("[2001:db8::ffff:1]:5"));
        assert_ne!(visitor("[2001:db8::1]:5"), visitor("[2001:db8:0:1::1]:5"));
    }
}
