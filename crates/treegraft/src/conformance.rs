//! Checks that a game keeps the contract.
