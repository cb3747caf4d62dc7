//! Encrypted connections to servers, with the certificates that the system trusts.
//!
//! Connections are encrypted with TLS 1.2 or 1.3. The certificate of a server must come from an authority that the system trusts. `SSL_CERT_FILE`
//! and `SSL_CERT_DIR` name others instead, such as the one of an operator's own network.

use std::sync::{Arc, LazyLock};

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

static PROVIDER: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| Arc::new(ring::default_provider()));

static ROOTS: LazyLock<Vec<CertificateDer<'static>>> = LazyLock::new(|| {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!("certificates that the system trusts cannot be read: {error}");
    }
    found.certs
});

static CONFIG: LazyLock<Result<Arc<ClientConfig>, rustls::Error>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(roots_of_system().iter().cloned());
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
});

/// The ciphers.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::clone(&PROVIDER)
}

/// The certificates of the authorities that the system trusts. Read once.
pub fn roots_of_system() -> &'static [CertificateDer<'static>] {
    &ROOTS
}

/// What a connection to a server is encrypted with.
///
/// # Errors
/// If the ciphers do not offer a version of the protocol.
pub fn client_config() -> Result<Arc<ClientConfig>, rustls::Error> {
    CONFIG.clone()
}
