//! The pictures of a ruleset, made into textures of the size in which they are drawn.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egui::load::{ImagePoll, SizeHint};
use egui::{Context, TextureHandle, TextureId, TextureOptions};

use boardwright_model::Fingerprint;

/// The sizes in which pictures are kept, in pixels.
const SIZES: [u32; 9] = [16, 24, 32, 48, 64, 96, 128, 192, 288];

/// The pictures of a ruleset by their names.
#[derive(Clone, Default)]
pub struct Art {
    uris: BTreeMap<String, String>,
    version: u64,
    /// Whether a picture that was asked for is still being made.
    waits: Cell<bool>,
    /// The textures made so far, by address, side and whether they are laid side by side. They are held here because what is drawn
    /// with them is kept from frame to frame, and the window forgets pictures that were not asked for in a frame.
    made: RefCell<BTreeMap<(String, u32, bool), TextureHandle>>,
}

impl std::fmt::Debug for Art {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Art").field("pictures", &self.uris.len()).finish_non_exhaustive()
    }
}

impl Art {
    /// Hands pictures over to the window; the same picture handed over twice is kept once.
    pub fn new(context: &Context, pictures: &BTreeMap<String, String>) -> Self {
        static VERSIONS: AtomicU64 = AtomicU64::new(1);
        let mut uris = BTreeMap::new();
        for (name, svg) in pictures.iter().filter(|(name, _)| name.ends_with(".svg")) {
            let uri = picture_uri(context, svg);
            if let Some(stem) = name.rsplit('/').next().and_then(|file| file.strip_suffix(".svg")) {
                uris.insert(stem.to_owned(), uri.clone());
            }
            uris.insert(name.clone(), uri);
        }
        Self {
            uris,
            version: VERSIONS.fetch_add(1, Ordering::Relaxed),
            ..Self::default()
        }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Whether a picture asked for since the last call was not ready yet.
    pub(super) fn has_waited(&self) -> bool {
        self.waits.take()
    }

    /// The texture of a picture, about as large as it is drawn; none if there is no such picture, it is broken or not ready yet.
    pub fn texture(&self, context: &Context, name: &str, side_pixels: f32) -> Option<TextureId> {
        let size = SIZES.iter().copied().find(|size| *size as f32 >= side_pixels).unwrap_or(288);
        self.load(context, name, size, false)
    }

    /// The same for a picture that is laid side by side with itself.
    pub(super) fn tile(&self, context: &Context, name: &str, side_pixels: f32) -> Option<TextureId> {
        let size = if side_pixels > 96.0 { 192 } else { 64 };
        self.load(context, name, size, true)
    }

    fn load(&self, context: &Context, name: &str, size: u32, is_tile: bool) -> Option<TextureId> {
        let uri = self.uris.get(name)?;
        let key = (uri.clone(), size, is_tile);
        if let Some(texture) = self.made.borrow().get(&key) {
            return Some(texture.id());
        }
        let hint = SizeHint::Size {
            width: size,
            height: size,
            maintain_aspect_ratio: true,
        };
        match context.try_load_image(uri, hint) {
            Ok(ImagePoll::Ready { image }) => {
                let options = if is_tile {
                    TextureOptions::LINEAR_REPEAT
                } else {
                    TextureOptions::LINEAR
                };
                let texture = context.load_texture(uri, image, options);
                let id = texture.id();
                self.made.borrow_mut().insert(key, texture);
                Some(id)
            }
            Ok(ImagePoll::Pending { .. }) => {
                self.waits.set(true);
                None
            }
            Err(_) => None,
        }
    }

    /// A picture as a widget, in the size it was drawn in unless told otherwise.
    pub fn image(&self, name: &str) -> Option<egui::Image<'static>> {
        self.uris.get(name).map(|uri| egui::Image::from_uri(uri.clone()))
    }

    /// Whether there is a picture of this name.
    pub fn has(&self, name: &str) -> bool {
        self.uris.contains_key(name)
    }
}

/// Hands one picture over and says under which address it is found.
pub fn picture_uri(context: &Context, svg: &str) -> String {
    let bytes: Arc<[u8]> = Arc::from(svg.as_bytes());
    let uri = format!("bytes://{}.svg", Fingerprint::of(&bytes));
    context.include_bytes(uri.clone(), bytes);
    uri
}
