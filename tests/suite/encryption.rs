//! Encrypted connections: players behind a proxy with TLS, and a database with TLS. Authorities are trusted that `SSL_CERT_FILE` names.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::thread;

use boardwright::network::CreateMatch;
use boardwright_test_postgres::TestPostgres;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::served::{Served, serve};

/// A proxy with TLS before a server, as `localhost`; gives its address. It ends with the program.
fn proxy(to: &str, certified: &CertifiedKey<rcgen::KeyPair>) -> String {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let to = to.trim_start_matches("http://").to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let accept = async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        while let Ok((client, _)) = listener.accept().await {
            let (acceptor, to) = (acceptor.clone(), to.clone());
            tokio::spawn(async move {
                // Clients may leave at any moment.
                if let (Ok(mut client), Ok(mut server)) = (acceptor.accept(client).await, tokio::net::TcpStream::connect(&to).await) {
                    drop(tokio::io::copy_bidirectional(&mut client, &mut server).await);
                }
            });
        }
    };
    thread::spawn(move || runtime.block_on(accept));
    address
}

fn certified() -> CertifiedKey<rcgen::KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).unwrap()
}

fn join(home: &Path, arguments: &[&str], trusted: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
    command
        .arg("join")
        .args(arguments)
        .current_dir(home)
        .env("XDG_DATA_HOME", home)
        .env("SSL_CERT_FILE", trusted)
        .env_remove("SSL_CERT_DIR")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|said| String::from_utf8_lossy(said).into_owned())
        .concat()
}

#[test]
fn players_join_a_server_behind_a_proxy_with_tls() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(&mut serve("127.0.0.1:0", &folder.path().join("data")));
    let (of_proxy, of_another) = (certified(), certified());
    let (trusted, another) = (folder.path().join("trusted.pem"), folder.path().join("another.pem"));
    fs::write(&trusted, of_proxy.cert.pem()).unwrap();
    fs::write(&another, of_another.cert.pem()).unwrap();
    let encrypted = proxy(&server.address, &of_proxy);

    let refused = join(folder.path(), &[&encrypted], &another).output().unwrap();
    let said = text(&refused);
    assert!(!refused.status.success() && said.contains("certificate"), "{said}");

    let wanted = CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    };
    let id = server.lobby().create(&wanted).unwrap().0.id;
    let players = ["Ada", "Bob"].map(|name| {
        let home = folder.path().join(name);
        fs::create_dir(&home).unwrap();
        let arguments = [&encrypted, &id, "--name", name, "--player", "random"];
        join(&home, &arguments, &trusted).spawn().unwrap()
    });
    let ends = players.map(|player| {
        let output = player.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        // Whoever has to wait for the other is told so on standard error.
        String::from_utf8_lossy(&output.stdout).lines().last().unwrap().to_owned()
    });
    assert!(ends[0] == ends[1] && ends[0].contains("(rule "), "{ends:?}");
}

#[test]
fn a_database_with_tls_is_used_if_its_certificate_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let (of_database, of_another) = (certified(), certified());
    let (trusted, another) = (folder.path().join("trusted.pem"), folder.path().join("another.pem"));
    fs::write(&trusted, of_database.cert.pem()).unwrap();
    fs::write(&another, of_another.cert.pem()).unwrap();
    let database = TestPostgres::start_with_tls(&of_database.cert.pem(), &of_database.signing_key.serialize_pem());
    let url = database.encrypted_database();
    let start = |trusted: &Path, data: &str| {
        let mut command = serve("127.0.0.1:0", &folder.path().join(data));
        command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
        command.args(["--store", &url]);
        command
    };
    let server = Served::start(&mut start(&trusted, "a"));
    assert!(server.lobby().list("waiting").unwrap().is_empty());
    let refused = start(&another, "b").stderr(Stdio::piped()).output().unwrap();
    let said = text(&refused);
    assert!(!refused.status.success() && said.contains("certificate"), "{said}");
}
