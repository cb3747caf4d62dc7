//! Connections to other servers, encrypted where their addresses say so: `https` and `wss`.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::{Error, error::TlsError};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config};
use ureq::config::ConfigBuilder;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// A web socket of the client's end.
pub(super) type ClientSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

static HTTP_TLS: LazyLock<TlsConfig> = LazyLock::new(|| {
    let roots = boardwright_tls::roots_of_system().iter();
    let roots = roots.map(|root| Certificate::from_der(root).to_owned());
    TlsConfig::builder()
        .unversioned_rustls_crypto_provider(boardwright_tls::provider())
        .root_certs(RootCerts::Specific(Arc::new(roots.collect())))
        .build()
});

/// What HTTP is spoken with; an answer may take so long.
pub(super) fn http_config(most_answering: Duration) -> ConfigBuilder<AgentScope> {
    ureq::Agent::config_builder()
        .timeout_global(Some(most_answering))
        .tls_config(HTTP_TLS.clone())
}

/// Opens a web socket.
pub(super) async fn open_socket(request: impl IntoClientRequest + Unpin) -> Result<(ClientSocket, Response), Error> {
    let request = request.into_client_request()?;
    let connector = match request.uri().scheme_str() {
        Some("wss") => Connector::Rustls(boardwright_tls::client_config().map_err(|error| Error::Tls(TlsError::Rustls(error.into())))?),
        _ => Connector::Plain,
    };
    // Messages are short and answered: none waits for another to fill a packet.
    connect_async_tls_with_config(request, None, true, Some(connector)).await
}
