//! A part of the drawing that is kept from frame to frame, as triangles that are ready to be painted.

use std::sync::Arc;

use egui::epaint::{Mesh, Tessellator, Vertex};
use egui::{Align2, Color32, Context, FontId, Painter, Pos2, Rect, Shape, Stroke, TextureId, pos2, vec2};

use super::area_names::area_names_layer;
use super::camera::Camera;
use super::canvas::Canvas;
use super::chunks::Chunks;
use super::geometry::Drawing;
use super::ground::ground_layer;
use super::pieces::pieces_layer;
use super::scene::{Clicks, Scene};
use crate::theme::{Palette, SeatStyle, add_patterned_disc, seat_style};
use boardwright_model::{Declarations, Looks};

/// A text at a place. It is laid out in each frame, for the font's texture may have been made again in between.
#[derive(Clone, Debug)]
struct Label {
    at: Pos2,
    anchor: Align2,
    text: String,
    font: FontId,
    colour: Color32,
}

/// Shapes in the order in which they are painted, and texts above them.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    shapes: Vec<Shape>,
    texts: Vec<Label>,
}

impl Layer {
    pub(super) fn add(&mut self, shape: impl Into<Shape>) {
        self.shapes.push(shape.into());
    }

    pub(super) fn extend(&mut self, shapes: impl IntoIterator<Item = Shape>) {
        self.shapes.extend(shapes);
    }

    /// A diagonal cross that reaches so far to each side.
    pub(super) fn cross(&mut self, middle: Pos2, reach: f32, stroke: Stroke) {
        for way in [vec2(reach, reach), vec2(reach, -reach)] {
            self.add(Shape::line_segment([middle - way, middle + way], stroke));
        }
    }

    pub(super) fn text(&mut self, at: Pos2, anchor: Align2, text: impl Into<String>, font: FontId, colour: Color32) {
        self.texts.push(Label {
            at,
            anchor,
            text: text.into(),
            font,
            colour,
        });
    }

    /// Cuts all shapes into triangles, so that painting the same again costs no more than copying them.
    pub(super) fn baked(self, context: &Context) -> Self {
        Self {
            shapes: baked(context, self.shapes),
            texts: self.texts,
        }
    }

    /// Paints it. A mesh that is baked is shared, not copied.
    pub(super) fn paint(&self, painter: &Painter) {
        painter.extend(self.shapes.iter().cloned());
        for label in &self.texts {
            painter.text(label.at, label.anchor, &label.text, label.font.clone(), label.colour);
        }
    }
}

/// Cuts shapes without texts into triangles: meshes that are shared when they are painted, and not copied.
pub fn baked(context: &Context, shapes: impl IntoIterator<Item = Shape>) -> Vec<Shape> {
    let options = context.tessellation_options(|options| *options);
    let mut tessellator = Tessellator::new(context.pixels_per_point(), options, [1, 1], Vec::new());
    let mut meshes: Vec<Mesh> = Vec::new();
    for shape in shapes {
        let texture = shape.texture_id();
        if meshes.last().is_none_or(|mesh| mesh.texture_id != texture) {
            meshes.push(Mesh::with_texture(texture));
        }
        if let Some(mesh) = meshes.last_mut() {
            tessellator.tessellate_shape(shape, mesh);
        }
    }
    meshes.retain(|mesh| !mesh.is_empty());
    meshes.into_iter().map(Shape::from).collect()
}

/// Something that is compared by where it lies, not by what it is.
#[derive(Debug)]
pub(super) struct Same<T: ?Sized>(pub(super) Arc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Everything that the colours of a scene depend on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SceneKey {
    digest: u64,
    declarations: Same<Declarations>,
    looks: Same<Looks>,
    is_dark: bool,
    seats: SeatStyle,
}

impl SceneKey {
    pub(super) fn new(scene: &Scene<'_>, palette: &Palette) -> Self {
        Self {
            digest: scene.state.digest(),
            declarations: Same(Arc::clone(scene.state.declarations())),
            looks: Same(Arc::clone(scene.looks)),
            is_dark: palette.is_dark(),
            seats: seat_style(),
        }
    }
}

/// Everything that the looks of a layer depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    scene: SceneKey,
    camera: Camera,
    pixels_per_point: f32,
    art: u64,
    shows_names: bool,
    washes: Option<Same<[Color32]>>,
    /// Pieces on their way are in no layer.
    travels: Option<u64>,
}

/// The layers that are kept: what lies below the marks, and the pieces.
#[derive(Debug, Default)]
pub(super) struct Layers {
    key: Option<Key>,
    ground: Layer,
    /// The ground of a grid that is drawn on.
    chunks: Chunks,
    /// Names of areas, which no mark makes pale.
    pub(super) names: Layer,
    pub(super) pieces: Layer,
}

impl Layers {
    /// Paints what lies below the marks.
    pub(super) fn paint_ground(&self, painter: &Painter) {
        self.ground.paint(painter);
        self.chunks.paint(painter);
    }

    /// Draws the layers again if anything has changed.
    pub(super) fn update(&mut self, canvas: &Canvas<'_>) {
        let Canvas { context, scene, .. } = *canvas;
        if scene.clicks == Clicks::Drawn && canvas.geometry.drawing != Drawing::Graph {
            self.key = None;
            (self.ground, self.names) = (Layer::default(), Layer::default());
            if let Some(pieces) = self.chunks.update(canvas) {
                self.pieces = pieces;
            }
            return;
        }
        self.chunks = Chunks::default();
        let key = Key {
            scene: SceneKey::new(scene, canvas.palette),
            camera: *canvas.camera,
            pixels_per_point: context.pixels_per_point(),
            art: scene.art.version(),
            shows_names: canvas.shows_names(),
            washes: scene.washes.map(|washes| Same(Arc::clone(washes))),
            travels: scene.travels.is_under_way(canvas.now).then(|| scene.travels.number()),
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let visible = canvas.geometry.visible(canvas.camera.seen());
        self.ground = ground_layer(canvas, &visible).baked(context);
        self.names = area_names_layer(canvas, &visible).baked(context);
        self.pieces = pieces_layer(canvas, &visible).baked(context);
        // A picture that is not ready yet comes in one of the next frames.
        self.key = (!scene.art.has_waited()).then_some(key);
    }
}

/// Rectangles with pictures on them, gathered by picture so that many are painted as one.
#[derive(Debug, Default)]
pub(super) struct Batch {
    meshes: Vec<Mesh>,
}

impl Batch {
    fn mesh(&mut self, texture: TextureId) -> Option<&mut Mesh> {
        let known = self.meshes.iter().rposition(|mesh| mesh.texture_id == texture);
        let place = known.unwrap_or(self.meshes.len());
        if known.is_none() {
            self.meshes.push(Mesh::with_texture(texture));
        }
        self.meshes.get_mut(place)
    }

    /// A square with a picture.
    pub(super) fn square(&mut self, texture: TextureId, middle: Pos2, radius: f32, tint: Color32) {
        self.turned_square(texture, middle, radius, tint, 0.0);
    }

    /// The same turned by an angle in radians.
    pub(super) fn turned_square(&mut self, texture: TextureId, middle: Pos2, radius: f32, tint: Color32, angle: f32) {
        let Some(mesh) = self.mesh(texture) else { return };
        let (sin, cos) = angle.sin_cos();
        let first = mesh.vertices.len() as u32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let (x, y) = ((2.0 * u - 1.0) * radius, (2.0 * v - 1.0) * radius);
            mesh.vertices.push(Vertex {
                pos: middle + vec2(x * cos - y * sin, x * sin + y * cos),
                uv: pos2(u, v),
                color: tint,
            });
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }

    /// A disc with the pattern of a seat, which is a texture.
    pub(super) fn patterned_disc(&mut self, pattern: TextureId, middle: Pos2, radius: f32, tint: Color32) {
        if let Some(mesh) = self.mesh(pattern) {
            add_patterned_disc(mesh, middle, radius, tint);
        }
    }

    pub(super) fn plain_square(&mut self, middle: Pos2, radius: f32, colour: Color32) {
        if let Some(mesh) = self.mesh(TextureId::default()) {
            mesh.add_colored_rect(Rect::from_center_size(middle, egui::Vec2::splat(2.0 * radius)), colour);
        }
    }

    pub(super) fn into_layer(self, layer: &mut Layer) {
        layer.extend(self.meshes.into_iter().map(Shape::from));
    }
}
