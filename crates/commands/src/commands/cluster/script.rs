//! The scripts of a job array.

use std::path::Path;

use crate::prelude::*;

/// What the scripts of an experiment say. Paths are absolute.
pub(super) struct Scripts {
    pub(super) program: String,
    /// The folder in which the command was given: players may name engines relative to it.
    pub(super) here: String,
    pub(super) experiment: String,
    /// Scripts, parts and logs.
    pub(super) folder: String,
    /// What the parts are merged into.
    pub(super) store: String,
    pub(super) name: Option<String>,
    pub(super) tasks: u32,
    pub(super) cpus: u32,
    pub(super) first: Option<u64>,
    /// Options of sbatch.
    pub(super) options: Vec<String>,
}

/// How every script begins.
const BEGINNING: &str = "#!/bin/bash\n# made by treegraft cluster slurm\n";

impl Scripts {
    /// The names and the texts of the scripts: the array, the merge, and what submits both.
    pub(super) fn all(&self) -> [(&'static str, String); 3] {
        [
            ("array.sbatch", self.array()),
            ("merge.sbatch", self.merge()),
            ("submit.sh", self.submit()),
        ]
    }

    fn array(&self) -> String {
        let Scripts { tasks, cpus, .. } = self;
        let width = tasks.to_string().len();
        let first = self.first();
        let head = self.head(
            "play",
            &[
                format!("--array=1-{tasks}"),
                format!("--cpus-per-task={cpus}"),
                "--output=logs/%A_%a.log".to_owned(),
                // Two minutes before the time is over.
                "--signal=B:USR1@120".to_owned(),
            ],
        );
        format!(
            r#"{head}
# Every pair of games is on the disk before it counts: the same command goes on where it was ended.
part=$(printf '%s/part-%0{width}d.db' "$folder" "$SLURM_ARRAY_TASK_ID")
"$program" run "$experiment" --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --store "$part"{first} \
    --jobs {cpus} --quiet &
child=$!

# USR1: the time is nearly over. End, and queue for another turn.
# TERM: preempted, or cancelled. End; Slurm queues again what it has preempted.
turn=no
trap 'turn=over; kill -TERM "$child" 2>/dev/null' USR1
trap 'turn=ended; kill -TERM "$child" 2>/dev/null' TERM
while
    wait "$child"
    code=$?
    kill -0 "$child" 2>/dev/null
do :; done
trap - USR1 TERM

case $code in
    0) exit 0 ;;    # everything is played
    2) exit 2 ;;    # the input is wrong, and would be again
esac
if [ "$turn" = over ] || {{ [ "$turn" = no ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 10 ]; }}; then
    echo "exit code $code: queued again" >&2
    # Slurm ends this script.
    # As a task of the array: the last one has the number of the whole array as its SLURM_JOB_ID.
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" && sleep 600
fi
exit "$code"
"#
        )
    }

    fn merge(&self) -> String {
        let head = self.head(
            "merge",
            &["--cpus-per-task=1".to_owned(), "--output=logs/%j_merge.log".to_owned()],
        );
        let (store, tasks, first) = (quoted(&self.store), self.tasks, self.first());
        format!(
            r#"{head}store={store}

parts=()
for part in "$folder"/part-*.db; do
    if [ -e "$part" ]; then parts+=("$part"); fi
done
if [ "${{#parts[@]}}" -eq 0 ]; then
    echo "no task has played anything: see logs" >&2
    exit 1
fi
"$program" merge "$store" "${{parts[@]}}" || exit
"$program" report "$experiment" --store "$store" > "$folder/report.txt" || exit

# Is everything there? If not, this says which shards are missing, and the job fails.
if ! "$program" status "$experiment" --store "$store" --complete --shards {tasks}{first}; then
    echo "not everything is played: bash submit.sh plays the rest" >&2
    exit 1
fi
"#
        )
    }

    fn submit(&self) -> String {
        let folder = quoted(&self.folder);
        format!(
            r#"{BEGINNING}set -eu
# The paths of the logs are relative to this folder.
cd -- {folder}
mkdir -p logs
array=$(sbatch --parsable array.sbatch)
# afterany, not afterok: a task that gave up must not keep the others from being merged.
merge=$(sbatch --parsable --dependency="afterany:${{array%%;*}}" merge.sbatch)
echo "array $array, merge $merge; progress: squeue -j ${{array%%;*}},${{merge%%;*}}"
"#
        )
    }

    /// The argument that leaves out later games.
    fn first(&self) -> String {
        self.first.map(|games| format!(" --first {games}")).unwrap_or_default()
    }

    /// The beginning of a job's script: its options, and where everything is.
    fn head(&self, job: &str, options: &[String]) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        let fits = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let name: String = name.chars().map(fits).collect();
        let mut text = BEGINNING.to_owned();
        let general = [
            format!("--job-name={job}-{name}"),
            "--ntasks=1".to_owned(),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
        ];
        for option in general.iter().chain(options).chain(&self.options) {
            text.push_str(&format!("#SBATCH {option}\n"));
        }
        for (name, path) in
            [("program", &self.program), ("experiment", &self.experiment), ("folder", &self.folder)]
        {
            text.push_str(&format!("\n{name}={}", quoted(path)));
        }
        text.push_str(&format!("\ncd -- {} || exit\n", quoted(&self.here)));
        text
    }
}

/// A text as one word of the shell.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// A path for a script, which is text.
pub(super) fn text_of(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        CliError::new(format!("{} is not UTF-8, as scripts require", path.display()))
    })
}
