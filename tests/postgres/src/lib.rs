//! A `PostgreSQL` of their own, for tests: in a temporary folder, reached by a socket in it, and as safe as any other. Programs of tests that use it
//! need Debian's package `postgresql`, and nothing of it has to run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

/// A server of databases. Dropped, or when the program ends however it may, it stops at once and its folder is gone.
#[derive(Debug)]
pub struct TestPostgres {
    programs: PathBuf,
    folder: TempDir,
    running: Option<Running>,
    databases: AtomicUsize,
}

/// The shell in which it runs. When nobody holds the other end of its input any more, it stops the server and deletes the folder.
#[derive(Debug)]
struct Running {
    shell: Child,
    input: ChildStdin,
}

/// The server that the tests of one program share.
static SHARED: OnceLock<TestPostgres> = OnceLock::new();

/// The URL of a new database of a server that all tests of this program share.
///
/// # Panics
/// If `PostgreSQL` is not installed, or does not start.
pub fn new_database() -> String {
    SHARED.get_or_init(TestPostgres::start).database()
}

impl TestPostgres {
    /// Makes a server and starts it.
    ///
    /// # Panics
    /// If `PostgreSQL` is not installed, or does not start.
    pub fn start() -> Self {
        let programs = programs().expect("PostgreSQL is not installed: on Debian, `apt-get install postgresql` brings it");
        // Short, for the names of sockets have few letters, and where any user gets to.
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").unwrap();
        let mut server = Self {
            programs,
            folder,
            running: None,
            databases: AtomicUsize::new(0),
        };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(server.folder.path()));
        }
        // What is made here is not worth waiting for the disk; what is written later is.
        run(server
            .program("initdb")
            .args([
                "--no-sync",
                "--username=test",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "-D",
            ])
            .arg(server.folder.path().join("data")));
        server.start_again();
        server
    }

    /// A program of `PostgreSQL`, as a user as which it is willing to run.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=postgres", "--regid=postgres", "--clear-groups"])
                .arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Starts it after it was stopped.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_again(&mut self) {
        let folder = self.folder.path();
        let mut server = self.program("postgres");
        server.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        server.args(["-c", "listen_addresses=", "-c", "max_connections=200"]);
        let words: Vec<String> = std::iter::once(server.get_program())
            .chain(server.get_args())
            .map(|word| format!("'{}'", word.display()))
            .collect();
        // `exec`, so that the process is that of the server itself.
        let script = format!(
            "(exec {}) >>log 2>&1 </dev/null & server=$!; read word; kill -QUIT $server; wait $server; \
             if [ \"$word\" = keep ]; then echo stopped; else rm -rf '{}'; fi",
            words.join(" "),
            folder.display()
        );
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = shell.stdin.take().unwrap();
        self.running = Some(Running { shell, input });
        let mut looks = 0;
        while !self.is_ready() {
            looks += 1;
            assert!(looks < 600, "PostgreSQL does not start: {}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    fn is_ready(&self) -> bool {
        let mut command = self.program("pg_isready");
        let asked = command.arg("-q").arg("-h").arg(self.folder.path()).status();
        asked.unwrap().success()
    }

    /// What it has said.
    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Stops it at once, as if the power had gone.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&mut self) {
        if let Some(Running { mut shell, mut input }) = self.running.take() {
            writeln!(input, "keep").unwrap();
            let mut said = String::new();
            shell.stdout.take().unwrap().read_to_string(&mut said).unwrap();
            shell.wait().unwrap();
            assert_eq!(said, "stopped\n");
        }
    }

    /// The URL of a new database.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        run(self
            .program("createdb")
            .args(["-U", "test", "-h"])
            .arg(self.folder.path())
            .arg(&name));
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://test@{host}/{name}")
    }
}

impl Drop for TestPostgres {
    fn drop(&mut self) {
        self.stop();
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

/// The folder of its programs: Debian keeps each version in one of its own.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((version, entry.path().join("bin")))
    });
    let newest = found.filter(|(_, programs)| programs.join("postgres").is_file()).max();
    let elsewhere = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| is_program(&folder.join("initdb")))
    };
    newest.map(|(_, programs)| programs).or_else(elsewhere)
}

fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
