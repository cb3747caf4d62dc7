//! The head: the files that are open, and what is done with them.

use boardwright_ui::keys::{Act, button_of, key_of, label_of};
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, MenuRow, Palette, from_right_ui, mix, space};
use boardwright_ui::{EditRequest, ScreenCommand, text};
use egui::{
    Align, FontId, Layout, Popup, PopupCloseBehavior, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, TextWrapMode, ThemePreference, Ui,
    WidgetInfo, WidgetText, pos2, vec2,
};

use crate::editor::{Ask, Behind};
use crate::file::OpenFile;

/// The height of a tab, in points.
const HEIGHT: f32 = 32.0;
/// The greatest width of the title on a tab, in points.
const MOST_TITLE: f32 = 150.0;
/// The least width of the window in which buttons have texts.
const ROOM_FOR_TEXTS: f32 = 1100.0;

/// Shows the head.
pub(crate) fn head_ui(ui: &mut Ui, files: &[OpenFile], current: usize, behind: Behind, asks: &mut Vec<Ask>) {
    let has_texts = ui.available_width() > ROOM_FOR_TEXTS;
    ui.horizontal(|ui| {
        ui.set_height(34.0);
        let back = match behind {
            Behind::Match => text!("edit-leave-to-match"),
            Behind::Nothing | Behind::Trial => text!("edit-leave-editor"),
        };
        if ui.add(IconButton::icon(Icon::Back, back)).clicked() {
            asks.push(Ask::Window(ScreenCommand::Leave));
        }
        from_right_ui(ui, |ui| {
            window_buttons_ui(ui, asks);
            if let Some(file) = files.get(current) {
                file_buttons_ui(ui, file, has_texts, asks);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ScrollArea::horizontal()
                    .id_salt("tabs")
                    .max_width(ui.available_width() - 44.0)
                    .show(ui, |ui| {
                        for (index, file) in files.iter().enumerate() {
                            tab_ui(ui, file, index, index == current, asks);
                        }
                        if behind != Behind::Nothing {
                            let shown = IconButton::with_text(Icon::Play, text!("tab-match")).height(HEIGHT);
                            if ui.add(shown.hint(key_of(Act::TryOut))).clicked() {
                                asks.push(Ask::ShowMatch);
                            }
                        }
                    });
                new_ui(ui, asks);
            });
        });
    });
}

fn window_buttons_ui(ui: &mut Ui, asks: &mut Vec<Ask>) {
    let (icon, label, theme) = if ui.visuals().dark_mode {
        (Icon::Sun, text!("settings-to-light"), ThemePreference::Light)
    } else {
        (Icon::Moon, text!("settings-to-dark"), ThemePreference::Dark)
    };
    let buttons = [
        (IconButton::icon(Icon::Gear, text!("settings")), ScreenCommand::ShowSettings),
        (IconButton::icon(icon, label), ScreenCommand::SetTheme(theme)),
        (button_of(Icon::Keyboard, Act::Shortcuts), ScreenCommand::ShowShortcuts),
    ];
    for (button, command) in buttons {
        if ui.add(button).clicked() {
            asks.push(Ask::Window(command));
        }
    }
}

fn file_buttons_ui(ui: &mut Ui, file: &OpenFile, has_texts: bool, asks: &mut Vec<Ask>) {
    let labelled = |icon, act| {
        if has_texts {
            IconButton::with_text(icon, label_of(act)).hint(key_of(act))
        } else {
            button_of(icon, act)
        }
    };
    if ui.add(labelled(Icon::Play, Act::TryOut).kind(ButtonKind::Primary)).clicked() {
        asks.push(Ask::TryOut);
    }
    let save = labelled(Icon::Save, Act::SaveDrawing);
    if ui.add_enabled(file.document.is_changed(), save).clicked() {
        asks.push(Ask::Save);
    }
    if ui
        .add_enabled(file.document.may_redo(), button_of(Icon::Redo, Act::DrawRedo))
        .clicked()
    {
        asks.push(Ask::Redo);
    }
    if ui
        .add_enabled(file.document.may_undo(), button_of(Icon::Undo, Act::DrawUndo))
        .clicked()
    {
        asks.push(Ask::Undo);
    }
    ui.add_space(space::S);
}

/// The tab of a file: a click shows it, its cross closes it.
fn tab_ui(ui: &mut Ui, file: &OpenFile, index: usize, is_shown: bool, asks: &mut Vec<Ask>) {
    let palette = Palette::of(ui.visuals());
    let title = WidgetText::from(file.title());
    let galley = title.into_galley(ui, Some(TextWrapMode::Truncate), MOST_TITLE, FontId::proportional(14.0));
    let width = 28.0 + galley.size().x + 30.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
    let label = if file.document.is_changed() {
        text!("tab-changed", title = file.title())
    } else {
        text!("tab-of", title = file.title())
    };
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, &label));
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let fill = if is_shown {
        palette.raised
    } else {
        mix(palette.surface, palette.raised, over)
    };
    let edge = if is_shown { palette.accent } else { palette.line };
    let painter = ui.painter();
    painter.rect(rect, 8, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let icon = if file.is_map() { Icon::Map } else { Icon::Pawn };
    let sign = Rect::from_center_size(pos2(rect.left() + 15.0, rect.center().y), vec2(16.0, 16.0));
    icon.paint(painter, sign, if is_shown { palette.accent } else { palette.muted });
    let height = galley.size().y;
    painter.galley(pos2(rect.left() + 28.0, rect.center().y - height / 2.0), galley, palette.text);
    let cross = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(20.0, 20.0));
    let close = ui.interact(cross, response.id.with("close"), Sense::click());
    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, text!("tab-close", title = file.title())));
    if file.document.is_changed() && !close.hovered() {
        ui.painter().circle_filled(cross.center(), 4.0, palette.accent);
    } else {
        let ink = if close.hovered() { palette.danger } else { palette.muted };
        Icon::Close.paint(ui.painter(), cross.shrink(4.0), ink);
    }
    if close.clicked() || response.middle_clicked() {
        asks.push(Ask::Close(index));
    } else if response.clicked() {
        asks.push(Ask::Show(index));
    }
    response.on_hover_text(file.document.path().display().to_string());
}

fn new_ui(ui: &mut Ui, asks: &mut Vec<Ask>) {
    let new = ui.add(IconButton::icon(Icon::Plus, text!("edit-new-or-open")));
    Popup::menu(&new).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
        let rows = [
            (
                MenuRow::new(Icon::Map, text!("edit-new-map")).key(key_of(Act::NewFile)),
                Ask::New(EditRequest::NewMap(String::new())),
            ),
            (
                MenuRow::new(Icon::Pawn, text!("edit-new-scenario")).key(key_of(Act::NewScenario)),
                Ask::New(EditRequest::NewScenario(String::new())),
            ),
            (MenuRow::new(Icon::Open, text!("edit-open")).key(key_of(Act::Open)), Ask::Open),
        ];
        for (row, ask) in rows {
            if ui.add(row).clicked() {
                asks.push(ask);
            }
        }
    });
}
