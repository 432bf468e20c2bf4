//! The parts of an evaluation as features: what it counts stays, the weights of that are fitted.

use super::{Active, Features};
use crate::{Evaluator, Game};

/// The [parts](crate::Part) of an evaluation as features, and whose turn it is as one more: so every
/// evaluation that reports its parts can be fitted, one of a game of your own too.
pub struct PartFeatures<G: Game> {
    evaluator: Evaluator<G>,
    name: String,
    labels: Vec<String>,
}

impl<G: Game> PartFeatures<G> {
    /// The features of an evaluation; `None` if it reports no parts of this unfinished position.
    #[must_use]
    pub fn new(evaluator: Evaluator<G>, position: &G) -> Option<PartFeatures<G>> {
        let parts = evaluator.parts(position).into_iter();
        let mut labels: Vec<String> = parts.map(|part| part.name.into_owned()).collect();
        if labels.is_empty() {
            return None;
        }
        labels.push("turn".to_owned());
        let name = format!("parts-of-{}", evaluator.name);
        Some(PartFeatures { evaluator, name, labels })
    }
}

impl<G: Game> Features<G> for PartFeatures<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self) -> usize {
        self.labels.len()
    }

    fn list(&self, position: &G, active: &mut Vec<Active>) {
        let parts = self.evaluator.parts(position);
        let leads = parts.iter().take(self.labels.len() - 1).map(|part| part.lead() as f32);
        let turn = position.to_move().sign() as f32;
        let amounts = leads.chain([turn]);
        active.extend((0..).zip(amounts).map(|(feature, amount)| Active { feature, amount }));
    }

    /// Parts may have hundreds of points.
    fn fineness(&self) -> u32 {
        4096
    }

    fn label(&self, feature: usize) -> String {
        self.labels.get(feature).cloned().unwrap_or_default()
    }
}
