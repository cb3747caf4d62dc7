//! The pictures of a ruleset, made into textures of the size in which they are drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::load::{SizeHint, TexturePoll};
use egui::{Context, TextureId, TextureOptions};

use crate::model::Fingerprint;

/// The sizes in which pictures are kept, in pixels.
const SIZES: [u32; 9] = [16, 24, 32, 48, 64, 96, 128, 192, 288];

/// The pictures of a ruleset by their names.
#[derive(Clone, Debug, Default)]
pub struct Art {
    uris: BTreeMap<String, String>,
}

impl Art {
    /// Hands pictures over to the window; the same picture handed over twice is kept once.
    pub fn new(context: &Context, pictures: &BTreeMap<String, String>) -> Self {
        let mut uris = BTreeMap::new();
        for (name, svg) in pictures.iter().filter(|(name, _)| name.ends_with(".svg")) {
            let uri = picture_uri(context, svg);
            if let Some(stem) = name.rsplit('/').next().and_then(|file| file.strip_suffix(".svg")) {
                uris.insert(stem.to_owned(), uri.clone());
            }
            uris.insert(name.clone(), uri);
        }
        Self { uris }
    }

    /// The texture of a picture, about as large as it is drawn; none if there is no such picture or it is broken.
    pub fn texture(&self, context: &Context, name: &str, side_pixels: f32) -> Option<TextureId> {
        let uri = self.uris.get(name)?;
        let size = SIZES.iter().copied().find(|size| *size as f32 >= side_pixels).unwrap_or(288);
        let hint = SizeHint::Size {
            width: size,
            height: size,
            maintain_aspect_ratio: true,
        };
        match context.try_load_texture(uri, TextureOptions::LINEAR, hint) {
            Ok(TexturePoll::Ready { texture }) => Some(texture.id),
            _ => None,
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
