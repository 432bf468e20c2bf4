//! `cargo xtask test-cluster`: an experiment on a real Slurm, with several nodes on this machine.
//!
//! The daemons run from a temporary folder, on ports of their own and without touching the system's
//! configuration, and are stopped at the end. In the middle of the experiment one task is killed, one
//! is preempted and one is notified that its time is over; the merged report must be that of a single
//! run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::apt::{self, find, say};
use crate::output;

/// The packages of Debian and Ubuntu.
const PACKAGES: [&str; 4] = ["slurmctld", "slurmd", "slurm-client", "munge"];

/// What they bring.
const PROGRAMS: [&str; 7] =
    ["slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "munged"];

const NODES: usize = 3;
const TASKS: usize = 6;

/// Some fifteen seconds a task.
const EXPERIMENT: &str = r#"
title = "A small tournament"
game = "breakthrough:6x6"
games = 1200
seed = 1
players = ["mcts-solver@2000it,1MiB", "uct@2000it,1MiB", "ab@2000nodes,1MiB"]
openings = { random = 2 }
record = "thinking"
"#;

/// Runs everything.
///
/// # Errors
///
/// If something does not work, in words.
pub(crate) fn test() -> Result<(), String> {
    apt::install(&PROGRAMS, &PACKAGES)?;
    say("building the program");
    if !crate::BUILD.run() {
        return Err("the program cannot be built".to_owned());
    }
    let program = program()?;
    let folder = |name: &str| {
        let folder = std::env::temp_dir().join(format!("{name}{}", std::process::id()));
        let made = fs::create_dir_all(&folder);
        made.map(|()| folder.clone()).map_err(|error| format!("{}: {error}", folder.display()))
    };
    // Slurm's own paths cannot have blanks; those of an experiment may.
    let (slurm, work) = (folder("treegraft-slurm-")?, folder("treegraft experiment ")?);
    let result = Cluster::start(&slurm).and_then(|mut cluster| {
        let result = experiment(&program, &work, &cluster);
        cluster.stop();
        result
    });
    for folder in [slurm, work] {
        match &result {
            Ok(()) => drop(fs::remove_dir_all(folder)),
            Err(_) => say(&format!("see {}", folder.display())),
        }
    }
    result
}

/// The program, built for release.
pub(crate) fn program() -> Result<PathBuf, String> {
    let xtask = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = xtask.parent().and_then(Path::parent).ok_or("no folder of programs")?;
    Ok(target.join("release").join("treegraft"))
}

/// Waits until something is so.
fn wait_for(
    what: &str,
    seconds: u64,
    mut is_so: impl FnMut() -> Result<bool, String>,
) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        if is_so()? {
            return Ok(());
        }
        if begun.elapsed() > Duration::from_secs(seconds) {
            return Err(format!("{what}: not within {seconds} seconds"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The daemons of a cluster on this machine.
struct Cluster {
    config: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Cluster, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        for name in ["state", "log"] {
            fs::create_dir_all(folder.join(name)).map_err(failed)?;
        }
        for node in 1..=NODES {
            fs::create_dir_all(folder.join(format!("spool/node{node}"))).map_err(failed)?;
        }
        let mut cluster = Cluster { config: folder.join("slurm.conf"), daemons: Vec::new() };
        cluster.start_munge(folder)?;
        // Slurm 22.05 cannot do without the first, later ones on new kernels not with it.
        for plugin in ["cgroup/v1", "disabled"] {
            cluster.configure(folder, plugin).map_err(failed)?;
            let munge = cluster.daemons.len();
            cluster.daemon("slurmctld", &["-D", "-i"], folder)?;
            for node in 1..=NODES {
                let name = format!("node{node}");
                cluster.daemon("slurmd", &["-D", "-N", &name], folder)?;
            }
            let idle = wait_for("idle nodes", 20, || {
                let states = cluster
                    .slurm("sinfo", &["-h", "-N", "-p", "main", "-o", "%T"])
                    .unwrap_or_default();
                Ok(states.lines().filter(|state| *state == "idle").count() == NODES)
            });
            match idle {
                Ok(()) => {
                    say(&format!(
                        "{} is up with {NODES} nodes",
                        cluster.slurm("sinfo", &["-V"])?.trim()
                    ));
                    return Ok(cluster);
                }
                Err(_) => cluster.stop_from(munge),
            }
        }
        Err("the nodes do not come up".to_owned())
    }

    fn start_munge(&mut self, folder: &Path) -> Result<(), String> {
        let key = folder.join("munge.key");
        let failed = |error: std::io::Error| format!("{}: {error}", key.display());
        let mut random = [0; 1024];
        let mut source = File::open("/dev/urandom").map_err(failed)?;
        std::io::Read::read_exact(&mut source, &mut random).map_err(failed)?;
        let mut options = File::options();
        std::os::unix::fs::OpenOptionsExt::mode(options.create(true).write(true), 0o600);
        options.open(&key).and_then(|mut file| file.write_all(&random)).map_err(failed)?;
        let option = |name: &str, file: &str| format!("--{name}={}", folder.join(file).display());
        let args = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            option("key-file", "munge.key"),
            option("socket", "munge.socket"),
            option("pid-file", "munge.pid"),
            option("log-file", "log/munge.log"),
            option("seed-file", "munge.seed"),
        ];
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.daemon("munged", &args, folder)?;
        wait_for("munge", 10, || Ok(folder.join("munge.socket").exists()))
    }

    fn configure(&self, folder: &Path, plugin: &str) -> std::io::Result<()> {
        let here = folder.display();
        let name = |args: &[&str], program: &str| {
            output(Command::new(program).args(args)).unwrap_or_default().trim().to_owned()
        };
        let (host, user) = (name(&[], "hostname"), name(&["-un"], "id"));
        // Ports that another cluster on this machine, or another such test, is not likely to have.
        let port = 20_000 + std::process::id() % 20_000;
        let mut text = format!(
            "ClusterName=treegraft\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={port}\n\
             SlurmUser={user}\nSlurmdUser={user}\nAuthType=auth/munge\n\
             AuthInfo=socket={here}/munge.socket,cred_expire=5\n\
             StateSaveLocation={here}/state\nSlurmdSpoolDir={here}/spool/%n\n\
             SlurmctldPidFile={here}/slurmctld.pid\nSlurmdPidFile={here}/slurmd-%n.pid\n\
             SlurmctldLogFile={here}/log/slurmctld.log\nSlurmdLogFile={here}/log/slurmd-%n.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             SchedulerParameters=sched_interval=1,bf_interval=1\nKillWait=10\n\
             PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n\
             SlurmdParameters=config_overrides\n"
        );
        for node in 1..=NODES as u32 {
            text.push_str(&format!(
                "NodeName=node{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1 \
                 RealMemory=500 State=UNKNOWN\n",
                port + node
            ));
        }
        text.push_str("PartitionName=main Nodes=ALL Default=YES PriorityTier=1\n");
        text.push_str("PartitionName=urgent Nodes=ALL PriorityTier=2 PreemptMode=OFF\n");
        fs::write(&self.config, text)?;
        fs::write(folder.join("cgroup.conf"), format!("CgroupPlugin={plugin}\n"))
    }

    /// Starts a daemon in the foreground, as a child of this process.
    fn daemon(&mut self, name: &str, args: &[&str], folder: &Path) -> Result<(), String> {
        let program = find(name).ok_or_else(|| format!("{name} is not there"))?;
        let log = folder.join(format!("log/{name}-{}.out", self.daemons.len()));
        let log = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut command = Command::new(program);
        command.args(args).env("SLURM_CONF", &self.config).stdin(Stdio::null());
        command.stderr(log.try_clone().map_err(|error| error.to_string())?).stdout(log);
        let child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        self.daemons.push(child);
        Ok(())
    }

    /// The output of one of Slurm's commands.
    fn slurm(&self, name: &str, args: &[&str]) -> Result<String, String> {
        output(Command::new(name).args(args).env("SLURM_CONF", &self.config))
    }

    /// Signals a job. The command may go on for a while, trying again and again, and fail because the
    /// job is over by then.
    fn scancel(&self, args: &[&str]) -> Result<Vec<Child>, String> {
        let mut command = Command::new("scancel");
        command.args(args).env("SLURM_CONF", &self.config).stderr(Stdio::null());
        command.spawn().map(|child| vec![child]).map_err(|error| format!("scancel: {error}"))
    }

    /// The jobs that are not over: their names, with task and state.
    fn jobs(&self) -> Result<BTreeMap<String, String>, String> {
        let text = self.slurm("squeue", &["-h", "-r", "-o", "%i %T"])?;
        let line =
            |line: &str| line.split_once(' ').map(|(id, state)| (id.to_owned(), state.to_owned()));
        Ok(text.lines().filter_map(line).collect())
    }

    fn stop(&mut self) {
        let user = output(Command::new("id").arg("-un")).unwrap_or_default();
        let _ = self.slurm("scancel", &["--full", "--user", user.trim()]);
        let _ = wait_for("no jobs", 5, || Ok(self.jobs().is_ok_and(|jobs| jobs.is_empty())));
        self.stop_from(0);
    }

    /// Stops all daemons but the first ones.
    fn stop_from(&mut self, first: usize) {
        for mut daemon in self.daemons.drain(first..).rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let is_over = wait_for("the end of a daemon", 10, || {
                Ok(matches!(daemon.try_wait(), Ok(Some(_))))
            });
            if is_over.is_err() {
                let _ = daemon.kill();
                let _ = daemon.wait();
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop_from(0);
    }
}

/// The experiment: on one machine, and on the cluster with accidents.
fn experiment(program: &Path, folder: &Path, cluster: &Cluster) -> Result<(), String> {
    let file = folder.join("it's small.toml");
    fs::write(&file, EXPERIMENT).map_err(|error| error.to_string())?;
    let treegraft = |args: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(folder).args(args).env("SLURM_CONF", &cluster.config);
        command
    };
    say("a single run");
    let name = "it's small.toml";
    output(&mut treegraft(&["run", name, "--store", "one.db", "--no-plot", "--quiet"]))?;
    let expected = output(&mut treegraft(&["report", name, "--store", "one.db"]))?;

    say(&format!("the same as an array of {TASKS} tasks"));
    let tasks = TASKS.to_string();
    let slurm = ["cluster", "slurm", name, "--tasks", &tasks, "--output", "jobs of it"];
    let options = ["--time", "30", "--partition", "main"];
    output(&mut treegraft(&[&slurm[..], &options[..]].concat()))?;
    let jobs = folder.join("jobs of it");
    let submit = || {
        let mut command = Command::new("bash");
        command.arg(jobs.join("submit.sh")).env("SLURM_CONF", &cluster.config);
        output(&mut command)
    };
    let submitted = submit()?;
    let array = submitted.split(&[' ', ','][..]).nth(1).unwrap_or_default().to_owned();
    say(submitted.trim());

    let middle = |task: usize| {
        wait_for(&format!("task {task} in the middle"), 180, || {
            let part = jobs.join(format!("part-{task}.db"));
            let part = part.to_string_lossy();
            let is_running =
                cluster.jobs()?.get(&format!("{array}_{task}")).is_some_and(|it| it == "RUNNING");
            let status = output(&mut treegraft(&["status", name, "--store", &part, "--json"]));
            let is_begun = status.is_ok_and(|status| !status.contains("\"pairs\":0,"));
            Ok(is_running && is_begun)
        })
    };
    middle(3)?;
    let node = cluster.slurm("squeue", &["-h", "-r", "-j", &format!("{array}_3"), "-o", "%N"])?;
    say(&format!("task 3 on {} is preempted", node.trim()));
    let nodes = format!("--nodelist={}", node.trim());
    let urgent = ["--partition=urgent", &nodes, "--output=/dev/null", "--wrap=sleep 1"];
    cluster.slurm("sbatch", &urgent)?;
    middle(1)?;
    say("task 1 is killed");
    kill_shard(&jobs, 1)?;
    middle(2)?;
    say("task 2 is notified that its time is over");
    let mut scancel = cluster.scancel(&["--signal=USR1", "--batch", &format!("{array}_2")])?;
    let last = format!("{array}_{TASKS}");
    middle(TASKS)?;
    say(&format!("task {TASKS} is cancelled"));
    scancel.extend(cluster.scancel(&[&last])?);
    let end = || wait_for("the end of all jobs", 400, || Ok(cluster.jobs()?.is_empty()));
    end()?;
    scancel.iter_mut().for_each(|child| drop(child.wait()));
    let logs = fs::read_dir(jobs.join("logs")).map_err(|error| error.to_string())?;
    let is_merge = |path: &PathBuf| path.to_string_lossy().ends_with("_merge.log");
    let log = logs.flatten().map(|entry| entry.path()).find(is_merge);
    let log = log.and_then(|log| fs::read_to_string(log).ok()).unwrap_or_default();
    if !log.contains("5 merged") && !log.contains("6 merged") || !log.contains("plays the rest") {
        return Err(format!("the merge does not say that games are missing: {log}"));
    }
    say("the others are merged, and the rest is submitted again");
    submit()?;
    end()?;

    for (task, what) in [(1, "killed"), (2, "out of time"), (3, "preempted"), (TASKS, "cancelled")]
    {
        let part = jobs.join(format!("part-{task}.db"));
        let sessions = sessions(&output(&mut treegraft(&["export", &part.to_string_lossy()]))?);
        // It was interrupted once, or several times: scancel repeats itself.
        if sessions.len() < 2 {
            return Err(format!(
                "task {task}, {what}, did not go on: its sessions are {sessions:?}"
            ));
        }
    }
    let merged = jobs.join("report.txt");
    let merged =
        fs::read_to_string(&merged).map_err(|error| format!("{}: {error}", merged.display()))?;
    if merged != expected {
        return Err(format!("the reports differ:\n{expected}\n{merged}"));
    }
    let again = output(&mut treegraft(&["report", name]))?;
    if again != expected {
        return Err("the report of the merged store differs".to_owned());
    }
    output(&mut treegraft(&["verify", "it's small.db", "--sample", "20"]))?;
    say("each went on where it was, and the merged report is that of the single run");
    Ok(())
}

/// Kills the program that plays a shard of this experiment.
fn kill_shard(jobs: &Path, task: usize) -> Result<(), String> {
    let part = jobs.join(format!("part-{task}.db"));
    let part = part.to_string_lossy();
    for entry in fs::read_dir("/proc").map_err(|error| error.to_string())?.flatten() {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).into_owned();
        let words: Vec<&str> = command.split('\0').collect();
        if words.get(1) == Some(&"run") && words.contains(&part.as_ref()) {
            let id = entry.file_name().to_string_lossy().into_owned();
            return output(Command::new("kill").args(["-KILL", &id])).map(drop);
        }
    }
    Err(format!("no process plays shard {task}"))
}

/// The sessions of exported games.
fn sessions(csv: &str) -> Vec<String> {
    let mut lines = csv.lines();
    let header = lines.next().unwrap_or_default();
    // Only columns behind it have commas in them.
    let Some(column) = header.split(',').position(|name| name == "session") else {
        return Vec::new();
    };
    let behind = header.split(',').count() - column;
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        // The setup, which is JSON in quotes, is the last column.
        let before = line.split(",\"{").next().unwrap_or_default();
        let session = before.rsplit(',').nth(behind - 2).unwrap_or_default().to_owned();
        if !found.contains(&session) {
            found.push(session);
        }
    }
    found.sort();
    found
}
