//! Channels: values that a search keeps of every node beside the mean of its rewards.
//!
//! A node has its value by itself until it has children in the tree, and then from theirs. The
//! values meet the mean rewards in one place, [`Tree::refresh`](super::tree::Tree::refresh), and
//! nowhere but in selection: they prove nothing, and neither rewards nor the final move know them.
//! Whatever shows the tree shows all channels.

mod implicit;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::tree::Id;
use super::{Config, Expand, Mixture, NO_NEWS, Step, Worker};
use crate::observe::Observer;
use crate::{Game, Outcome, Side};

/// A value of every node beside the mean of its rewards, in the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Implicit minimax values ([`Config::implicit`]), from -1 to 1.
    Implicit,
}

/// What a channel is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ChannelWords {
    /// In JSON and above columns.
    pub key: &'static str,
    /// In full.
    pub name: &'static str,
    /// Where there is little room.
    pub short: &'static str,
}

impl Channel {
    /// All of them, in the order of [`TreeNode::channels`](crate::TreeNode::channels).
    pub const ALL: [Channel; 1] = [Channel::Implicit];

    /// What it is called.
    #[must_use]
    pub fn words(self) -> ChannelWords {
        let (key, name, short) = match self {
            Channel::Implicit => ("implicit", "implicit minimax", "im"),
        };
        ChannelWords { key, name, short }
    }

    /// Whether a search has it.
    pub(super) fn is_on(self, config: &Config) -> bool {
        match self {
            Channel::Implicit => config.implicit.is_some(),
        }
    }

    /// Whether a node's value comes from its children as soon as it has some.
    fn is_backed_up(self, config: &Config) -> bool {
        match self {
            // Not the constant bias: it is the evaluation of the node itself.
            Channel::Implicit => config.implicit.is_some_and(|it| it.mixture != Mixture::Constant),
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A new node of the tree has its own values.
    #[inline]
    pub(super) fn set_channels(&mut self, node: usize, position: &G, outcome: Option<Outcome>) {
        for channel in Channel::ALL {
            if self.tree.channel(channel).is_present() {
                let value = match channel {
                    Channel::Implicit => self.implicit_value(position, outcome),
                };
                self.tree.set_channel(channel, node, value);
                self.see_channel(channel, node);
            }
        }
    }

    /// The same of the last node on the path, unless it got its values together with its siblings.
    #[inline(always)]
    pub(super) fn set_channels_of_leaf(&mut self, position: &G, outcome: Option<Outcome>) {
        if self.shared.config.expand == Expand::One {
            let place = self.path.len() - 1;
            self.set_channels(self.path[place].node as usize, position, outcome);
            if Channel::ALL.iter().any(|it| it.is_backed_up(&self.shared.config)) {
                self.channel_news = place;
            }
        }
    }

    /// The children of a node, which is the last one on the path or the root before any simulation,
    /// have just got their values.
    pub(super) fn set_channels_of_parent(&mut self, node: Id, mover: Side) {
        for channel in Channel::ALL {
            if channel.is_backed_up(&self.shared.config) {
                let value = self.value_from_children(channel, node, mover);
                self.tree.set_channel(channel, node as usize, value);
                self.see_channel(channel, node as usize);
                if let Some(place) = self.path.len().checked_sub(1) {
                    self.channel_news = self.channel_news.min(place);
                }
            }
        }
    }

    /// Carries new values up the path, each until one of the nodes does not change.
    #[inline(never)]
    pub(super) fn back_up_channels(&mut self) {
        let news = std::mem::replace(&mut self.channel_news, NO_NEWS);
        for channel in Channel::ALL {
            if !channel.is_backed_up(&self.shared.config) {
                continue;
            }
            for place in (0..news).rev() {
                let Step { node, mover } = self.path[place];
                let value = self.value_from_children(channel, node, mover);
                if self.tree.set_channel(channel, node as usize, value) == value {
                    break;
                }
                self.see_channel(channel, node as usize);
            }
        }
    }

    /// What the children of a node say about it.
    fn value_from_children(&self, channel: Channel, node: Id, mover: Side) -> f32 {
        let values = &self.tree.channel(channel)[self.tree.known(node)];
        match channel {
            Channel::Implicit => implicit::best(values, mover),
        }
    }
}
