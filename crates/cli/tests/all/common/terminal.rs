//! The program in a terminal: a pseudo-terminal, and what a person would see on its screen.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

/// A program that runs in a terminal.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Starts the program in a terminal of 24 rows and 100 columns.
    pub(crate) fn start(args: &[&str]) -> Terminal {
        const SIZE: (u16, u16) = (24, 100);
        let size = Winsize { ws_row: SIZE.0, ws_col: SIZE.1, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(&size, None).expect("a pseudo-terminal");
        let end = || Stdio::from(pair.slave.try_clone().expect("another end"));
        let mut command = super::command(args);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn();
        let child = child.expect("the program starts");
        let mut output = File::from(pair.master);
        let keyboard = output.try_clone().expect("another end");
        let screen = Arc::new(Mutex::new(vt100::Parser::new(SIZE.0, SIZE.1, 1000)));
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails when the program has ended.
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                shown.lock().unwrap().process(&buffer[..read]);
            }
        });
        Terminal { child, keyboard, screen }
    }

    /// Types a line.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).expect("the terminal is open");
    }

    /// What is on the screen now, row by row, without blanks at the ends.
    pub(crate) fn screen(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let (_, columns) = parser.screen().size();
        // Progress bars fill their rows, which would make one line of all of them.
        let rows = parser.screen().rows(0, columns).map(|row| row.trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// The parts of the screen that are in reverse colours.
    pub(crate) fn marked(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let (rows, columns) = parser.screen().size();
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = cells.filter_map(|(row, column)| parser.screen().cell(row, column));
        cells.filter(|cell| cell.inverse()).map(|cell| cell.contents().to_owned()).collect()
    }

    /// Waits until the screen is as expected, and returns it.
    pub(crate) fn wait_for(&self, expected: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let screen = self.screen();
            if expected(&screen) {
                return screen;
            }
            assert!(Instant::now() < end, "not on the screen:\n{screen}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end of the program; its exit code.
    pub(crate) fn finish(mut self) -> Option<i32> {
        self.child.wait().expect("the program ends").code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
