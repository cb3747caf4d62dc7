//! A `PostgreSQL` of their own, for tests: in a temporary folder, reached by a socket in it, and as safe as any other. Programs of tests that use it
//! need Debian's package `postgresql`, and nothing of it has to run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;
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
    /// Where it listens with TLS besides its socket, if it does: an address of this process alone.
    encrypted_at: Option<Ipv4Addr>,
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
        let mut server = Self::make();
        server.start_again();
        server
    }

    /// The same, which also listens with TLS, with a certificate and its key in PEM.
    ///
    /// # Panics
    /// If `PostgreSQL` is not installed, or does not start.
    pub fn start_with_tls(certificate: &str, key: &str) -> Self {
        let mut server = Self::make();
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let file = server.folder.path().join("data").join(name);
            fs::write(&file, text).unwrap();
            run(Command::new("chmod").arg("600").arg(&file));
            if is_root() {
                run(Command::new("chown").arg("postgres").arg(&file));
            }
        }
        // Every address that begins with 127 is this machine: nobody else listens at one made of the number of this process.
        let [_, first, second, third] = std::process::id().to_be_bytes();
        server.encrypted_at = Some(Ipv4Addr::new(127, first | 0x80, second, third));
        server.start_again();
        server
    }

    fn make() -> Self {
        let programs = programs().expect("PostgreSQL is not installed: on Debian, `apt-get install postgresql` brings it");
        // Short, for the names of sockets have few letters, and where any user gets to.
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").unwrap();
        let server = Self {
            programs,
            folder,
            running: None,
            databases: AtomicUsize::new(0),
            encrypted_at: None,
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
        let listens = self.encrypted_at.map_or_else(String::new, |address| address.to_string());
        server.args(["-c", &format!("listen_addresses={listens}"), "-c", "max_connections=200"]);
        if self.encrypted_at.is_some() {
            server.args(["-c", "ssl=on"]);
        }
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

    /// The URL of a new database whose connections are encrypted, of a server [with TLS](Self::start_with_tls) that calls itself `localhost`.
    ///
    /// # Panics
    /// If it cannot be made, or the server has no TLS.
    pub fn encrypted_database(&self) -> String {
        let name = self.create();
        let address = self.encrypted_at.expect("the server has no TLS");
        format!("postgres://test@localhost/{name}?hostaddr={address}&sslmode=require")
    }

    /// The URL of a new database.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn database(&self) -> String {
        let name = self.create();
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://test@{host}/{name}")
    }

    fn create(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        run(self
            .program("createdb")
            .args(["-U", "test", "-h"])
            .arg(self.folder.path())
            .arg(&name));
        name
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
