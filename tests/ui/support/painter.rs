//! Paints what egui gives out, by the processor alone: the same picture on every machine, with or without a graphics card.

use std::cell::{Ref, RefCell};
use std::collections::HashMap;
use std::mem;
use std::rc::Rc;

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, ImageData, Pos2, Rect, TextureFilter, TextureId, TextureOptions, TextureWrapMode, TexturesDelta, Vec2};
use egui_kittest::TestRenderer;

use super::Picture;

/// Paints triangles; knows the textures.
#[derive(Default)]
pub struct Painter {
    textures: HashMap<TextureId, (ColorImage, TextureOptions)>,
}

/// The painter of a harness, which is asked for pictures from outside.
#[derive(Clone, Default)]
pub struct SharedPainter(Rc<RefCell<Painter>>);

impl SharedPainter {
    pub fn borrow(&self) -> Ref<'_, Painter> {
        self.0.borrow()
    }
}

impl TestRenderer for SharedPainter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.0.borrow_mut().take(delta);
    }
}

impl Painter {
    /// Takes new and changed textures.
    pub fn take(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in mem::take(&mut delta.set) {
            for change in changes {
                let ImageData::Color(image) = &change.image;
                match change.pos {
                    None => drop(self.textures.insert(id, ((**image).clone(), change.options))),
                    Some([x, y]) => {
                        if let Some((whole, _)) = self.textures.get_mut(&id) {
                            patch(whole, image, x, y);
                        }
                    }
                }
            }
        }
        for id in mem::take(&mut delta.free) {
            self.textures.remove(&id);
        }
    }

    /// Paints everything onto black.
    pub fn paint(&self, primitives: &[ClippedPrimitive], size: Vec2, pixels_per_point: f32) -> Picture {
        let (width, height) = ((size.x * pixels_per_point) as usize, (size.y * pixels_per_point) as usize);
        let mut picture = Picture::black(width, height);
        for primitive in primitives {
            if let Primitive::Mesh(mesh) = &primitive.primitive {
                self.mesh(&mut picture, mesh, primitive.clip_rect, pixels_per_point);
            }
        }
        picture
    }

    fn mesh(&self, picture: &mut Picture, mesh: &Mesh, clip: Rect, scale: f32) {
        let Some((image, options)) = self.textures.get(&mesh.texture_id) else {
            return;
        };
        let bounds = [
            (clip.min.x * scale).round().max(0.0) as usize,
            (clip.min.y * scale).round().max(0.0) as usize,
            ((clip.max.x * scale).round().max(0.0) as usize).min(picture.width),
            ((clip.max.y * scale).round().max(0.0) as usize).min(picture.height),
        ];
        let sampler = Sampler { image, options: *options };
        for corners in mesh.indices.chunks_exact(3) {
            let corner = |index: usize| {
                let mut vertex = mesh.vertices[corners[index] as usize];
                vertex.pos = (vertex.pos.to_vec2() * scale).to_pos2();
                vertex
            };
            triangle(picture, &sampler, [corner(0), corner(1), corner(2)], bounds);
        }
    }
}

fn patch(whole: &mut ColorImage, part: &ColorImage, x: usize, y: usize) {
    let width = whole.size[0];
    for row in 0..part.size[1] {
        let from = row * part.size[0];
        let to = (y + row) * width + x;
        whole.pixels[to..to + part.size[0]].copy_from_slice(&part.pixels[from..from + part.size[0]]);
    }
}

/// Twice the area of a triangle, positive if it runs clockwise on the screen.
fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether pixels exactly on an edge belong to the triangle, so that those between two triangles are painted once.
fn owns(a: Pos2, b: Pos2) -> bool {
    a.y > b.y || (a.y >= b.y && a.x < b.x)
}

fn triangle(picture: &mut Picture, sampler: &Sampler<'_>, mut corners: [Vertex; 3], [left, top, right, bottom]: [usize; 4]) {
    let mut whole = area(corners[0].pos, corners[1].pos, corners[2].pos);
    if whole < 0.0 {
        corners.swap(1, 2);
        whole = -whole;
    }
    if whole < 1e-6 {
        return;
    }
    let [a, b, c] = corners.map(|vertex| vertex.pos);
    let least = |values: [f32; 3]| values[0].min(values[1]).min(values[2]);
    let most = |values: [f32; 3]| values[0].max(values[1]).max(values[2]);
    let (x0, x1) = (
        least([a.x, b.x, c.x]).floor().max(left as f32),
        most([a.x, b.x, c.x]).ceil().min(right as f32),
    );
    let (y0, y1) = (
        least([a.y, b.y, c.y]).floor().max(top as f32),
        most([a.y, b.y, c.y]).ceil().min(bottom as f32),
    );
    let owned = [owns(b, c), owns(c, a), owns(a, b)];
    let [first, second, third] = &corners;
    let is_flat = first.color == second.color && second.color == third.color && first.uv == second.uv && second.uv == third.uv;
    let flat = is_flat.then(|| tinted(first.color.to_array().map(f32::from), sampler.at(first.uv.x, first.uv.y)));
    for y in y0 as usize..y1.max(0.0) as usize {
        for x in x0 as usize..x1.max(0.0) as usize {
            let point = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
            let shares = [area(b, c, point), area(c, a, point), area(a, b, point)];
            // On an edge the share is exactly 0.
            if shares
                .iter()
                .zip(owned)
                .any(|(share, owned)| *share < 0.0 || (*share <= 0.0 && !owned))
            {
                continue;
            }
            if let Some(colour) = flat {
                picture.blend(x, y, colour);
                continue;
            }
            let part = shares.map(|share| share / whole);
            let blend =
                |value: fn(&Vertex) -> f32| value(&corners[0]) * part[0] + value(&corners[1]) * part[1] + value(&corners[2]) * part[2];
            let texel = sampler.at(blend(|vertex| vertex.uv.x), blend(|vertex| vertex.uv.y));
            let colour = [
                blend(|vertex| f32::from(vertex.color.r())),
                blend(|vertex| f32::from(vertex.color.g())),
                blend(|vertex| f32::from(vertex.color.b())),
                blend(|vertex| f32::from(vertex.color.a())),
            ];
            picture.blend(x, y, tinted(colour, texel));
        }
    }
}

/// A colour of the texture in the colour of a corner.
fn tinted(colour: [f32; 4], texel: [f32; 4]) -> [f32; 4] {
    [0, 1, 2, 3].map(|part| colour[part] * texel[part] / 255.0)
}

struct Sampler<'a> {
    image: &'a ColorImage,
    options: TextureOptions,
}

impl Sampler<'_> {
    fn at(&self, u: f32, v: f32) -> [f32; 4] {
        let [width, height] = self.image.size;
        let (x, y) = (u * width as f32 - 0.5, v * height as f32 - 0.5);
        if self.options.magnification == TextureFilter::Nearest {
            return self.texel(x.round() as i64, y.round() as i64);
        }
        let (left, top) = (x.floor(), y.floor());
        let (right_share, lower_share) = (x - left, y - top);
        let (column, row) = (left as i64, top as i64);
        if right_share == 0.0 && lower_share == 0.0 {
            return self.texel(column, row);
        }
        let corners = [
            (self.texel(column, row), (1.0 - right_share) * (1.0 - lower_share)),
            (self.texel(column + 1, row), right_share * (1.0 - lower_share)),
            (self.texel(column, row + 1), (1.0 - right_share) * lower_share),
            (self.texel(column + 1, row + 1), right_share * lower_share),
        ];
        let mut mixed = [0.0; 4];
        for (texel, share) in corners {
            for (sum, part) in mixed.iter_mut().zip(texel) {
                *sum += part * share;
            }
        }
        mixed
    }

    fn texel(&self, x: i64, y: i64) -> [f32; 4] {
        let [width, height] = self.image.size;
        let index = self.wrapped(y, height) * width + self.wrapped(x, width);
        let colour: Color32 = self.image.pixels[index];
        colour.to_array().map(f32::from)
    }

    fn wrapped(&self, place: i64, length: usize) -> usize {
        let length = length as i64;
        let place = match self.options.wrap_mode {
            TextureWrapMode::ClampToEdge => place.clamp(0, length - 1),
            TextureWrapMode::Repeat => place.rem_euclid(length),
            TextureWrapMode::MirroredRepeat => {
                let within = place.rem_euclid(2 * length);
                if within < length { within } else { 2 * length - 1 - within }
            }
        };
        place as usize
    }
}
