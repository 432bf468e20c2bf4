//! Engines that speak GTP, the Go Text Protocol, version 2.

use std::time::{Duration, Instant};

use treegraft::{Game, Playthrough, Work};
use treegraft_players::{Board, MoveIndex, Start};

use super::super::foreign::{GtpGame, Refusal, colour, gtp_game};
use super::{Dialect, Talk, fault, milliseconds, shorten};
use crate::seat::{FaultKind, NoAnswer};

pub(super) struct Gtp {
    game: GtpGame,
    start: Start,
    /// The moves that the program knows of.
    told: Vec<MoveIndex>,
}

/// An answer to a command: what follows the `=`, or the `?`.
type Reply = Result<String, String>;

impl Gtp {
    pub(super) fn new(start: &Start) -> Result<Gtp, Refusal> {
        Ok(Gtp { game: gtp_game(start)?, start: start.clone(), told: Vec::new() })
    }

    /// Everything before the first move.
    fn get_ready(&mut self, talk: &mut Talk<'_, '_>) -> Result<(), NoAnswer> {
        // Not every program knows which version it speaks.
        if let Ok(version) = talk.reply_to("protocol_version")?
            && version != "2"
        {
            let problem = format!("it speaks version {:?} of GTP, not 2", shorten(&version));
            return Err(fault(FaultKind::NoStart, problem).into());
        }
        let sized = talk.command(&format!("boardsize {}", self.game.size))?;
        if !self.game.is_usual {
            talk.accepted("boardsize", sized)?;
        }
        self.clear(talk)?;
        if let Some(time) = talk.request.budget.time {
            talk.order(&format!("time_settings 0 {} 1", time.as_secs().max(1)))?;
        }
        Ok(())
    }

    fn clear(&mut self, talk: &mut Talk<'_, '_>) -> Result<(), NoAnswer> {
        self.told.clear();
        talk.order("clear_board")
    }

    /// Sends the program the moves that it does not know.
    fn tell(&mut self, talk: &mut Talk<'_, '_>, game: &Playthrough<Board>) -> Result<(), NoAnswer> {
        if game.start() != self.start.board() {
            let problem = "it cannot begin elsewhere than at the start";
            return Err(fault(FaultKind::NoStart, problem).into());
        }
        if !game.moves().starts_with(&self.told) {
            self.clear(talk)?;
        }
        let mut position = game.start().clone();
        for (ply, &mv) in game.moves().iter().enumerate() {
            if ply >= self.told.len() {
                let (side, text) = (position.to_move(), self.game.notation.write(&position, mv));
                let line = format!("play {} {text}", colour(side));
                let reply = talk.command(&line)?;
                // Where there is no choice, some programs pass by themselves and refuse the move.
                let is_known = text == "pass" && reply.is_err();
                if !is_known {
                    talk.accepted(&line, reply)?;
                }
                self.told.push(mv);
            }
            position.play(mv);
        }
        Ok(())
    }
}

impl Dialect for Gtp {
    fn hello(&mut self) -> String {
        "protocol_version".to_owned()
    }

    fn answer(
        &mut self,
        talk: &mut Talk<'_, '_>,
        game: &Playthrough<Board>,
    ) -> Result<(MoveIndex, Work), NoAnswer> {
        if !talk.is_ready {
            self.get_ready(talk)?;
            talk.is_ready = true;
        }
        self.tell(talk, game)?;
        let command = format!("genmove {}", colour(game.position().to_move()));
        let (reply, time) = talk.generate(&command)?;
        let text = reply.map_err(|problem| {
            let problem = format!("it says {:?} to {command:?}", shorten(&problem));
            fault(FaultKind::Garbage, problem)
        })?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(fault(FaultKind::Resign, "it resigns").into());
        }
        if text.is_empty() {
            let problem = format!("no move in the answer to {command:?}");
            return Err(fault(FaultKind::Garbage, problem).into());
        }
        let illegal = |problem| fault(FaultKind::IllegalMove, problem);
        let mv = self.game.notation.read(game.position(), &text).map_err(illegal)?;
        self.told.push(mv);
        Ok((mv, Work { time, ..Work::default() }))
    }
}

impl Talk<'_, '_> {
    /// Sends a command and waits for the answer.
    fn command(&mut self, line: &str) -> Result<Reply, NoAnswer> {
        self.send(line);
        self.reply_to(line)
    }

    /// Sends a command that is answered by nothing.
    fn order(&mut self, line: &str) -> Result<(), NoAnswer> {
        let reply = self.command(line)?;
        self.accepted(line, reply)
    }

    /// Refuses every answer but an empty one: another one belongs to another command.
    fn accepted(&self, line: &str, reply: Reply) -> Result<(), NoAnswer> {
        let problem = match reply {
            Ok(text) if text.is_empty() => return Ok(()),
            Ok(text) => format!("it answers {line:?} by {:?}", shorten(&text)),
            Err(text) => format!("it says {:?} to {line:?}", shorten(&text)),
        };
        Err(self.fault(FaultKind::Garbage, problem).into())
    }

    /// Waits for the answer to a command that was sent.
    fn reply_to(&mut self, line: &str) -> Result<Reply, NoAnswer> {
        let end = self.awake.now() + self.patience;
        if let Some((reply, _)) = self.reply(end)? {
            return Ok(reply);
        }
        let problem = format!("no answer to {line:?} within {}", milliseconds(self.patience));
        Err(self.fault(FaultKind::Stall, problem).into())
    }

    /// Requests a move: the answer, and how long it took.
    fn generate(&mut self, command: &str) -> Result<(Reply, Duration), NoAnswer> {
        self.send(command);
        let mut clock = self.clock();
        loop {
            if let Some((reply, at)) = self.reply(clock.end)? {
                return Ok((reply, clock.stop(at)?));
            }
            self.run_out(&mut clock)?;
        }
    }

    /// The next answer and when it came; `None` if there is none before `end`. Lines that belong to
    /// no answer are ignored.
    fn reply(&mut self, end: Instant) -> Result<Option<(Reply, Instant)>, NoAnswer> {
        loop {
            let Some((line, at)) = self.listen(end)? else { return Ok(None) };
            match (&mut self.reply, line.chars().next()) {
                (Some(_), None) => {
                    let reply = self.reply.take().unwrap_or(Ok(String::new()));
                    return Ok(Some((reply, at)));
                }
                (Some(Ok(text) | Err(text)), Some(_)) => {
                    text.push('\n');
                    text.push_str(&line);
                }
                (None, Some('=')) => self.reply = Some(Ok(line[1..].trim().to_owned())),
                (None, Some('?')) => self.reply = Some(Err(line[1..].trim().to_owned())),
                (None, _) => {}
            }
        }
    }
}
