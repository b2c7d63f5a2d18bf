//! Files that are written: never over what is read, as a whole or not at all, and after the verdict.

use super::program::{MURPHI, PRISM, PROPERTIES, QUERIES, TTS, UPPAAL, file, folder, said};

#[test]
fn what_is_read_is_not_overwritten() {
    let model = file("files", "model.m", MURPHI);
    let claims = file("files", "more.claims", "");
    let link = folder("files").join("link.m");
    let _ = std::fs::remove_file(&link);
    std::fs::hard_link(&model, &link).expect("a link");
    let link = link.to_string_lossy().into_owned();
    let other = folder("files").join("other").to_string_lossy().into_owned();
    for arguments in [
        &["check", &model, "--json", &model][..],
        &["check", &model, "--json", &link],
        &["check", &model, "--certificate", &model],
        &["check", &model, "--checkpoint", &model],
        &["check", &model, "--symmetry-file", &claims, "--json", &claims],
        &["symmetry", &model, "--json", &model],
        &["symmetry", &model, "--svg", &model],
        &["compare", &model, "--svg", &model],
        &["check", &model, "--json", &other, "--checkpoint", &other],
        &["prove", &model, "--certificate", &model],
    ] {
        let (code, text) = said(arguments);
        let told = text.contains("would overwrite") || text.contains("name the same file");
        assert!(code == 2 && told, "{arguments:?}: {text}");
        assert_eq!(std::fs::read_to_string(&model).expect("the model"), MURPHI, "{arguments:?}");
    }
    // The files beside a model are read, too.
    for (model, text, beside, asked) in
        [("light.xta", UPPAAL, "light.q", QUERIES), ("gate.tts", TTS, "gate.prop", "0|2")]
    {
        let (model, beside) = (file("files", model, text), file("files", beside, asked));
        let (code, text) = said(&["check", &model, "--json", &beside]);
        assert!(code == 2 && text.contains("would overwrite"), "{text}");
        assert_eq!(std::fs::read_to_string(&beside).expect("what is asked"), asked);
    }
    let (coin, asked) = (file("files", "coin.prism", PRISM), file("files", "coin.props", PROPERTIES));
    let (code, text) = said(&["check", &coin, &asked, "--json", &asked]);
    assert!(code == 2 && text.contains("would overwrite"), "{text}");
    assert!(!std::path::Path::new(&other).exists(), "nothing was opened");
}

#[test]
fn a_result_replaces_the_old_one_as_a_whole() {
    let model = file("whole", "model.m", MURPHI);
    let json = file("whole", "result.json", "old");
    let (code, _) = said(&["check", &model, "--json", &json]);
    let written = std::fs::read_to_string(&json).expect("a result");
    assert!(code == 0 && written.starts_with('{') && written.ends_with("}\n"), "{written}");
    let left = std::fs::read_dir(folder("whole")).expect("a folder").count();
    assert_eq!(left, 2, "no other file is left");
    let (code, text) = said(&["check", &model, "--json", "/dev/full"]);
    assert!(
        code == 2 && text.contains("model.m: holds") && text.contains("cannot write /dev/full"),
        "{text}"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_work() {
    let model = file("early", "model.m", MURPHI);
    let (code, text) = said(&["check", &model, "--json", "/no/such/folder/result.json"]);
    assert!(code == 2 && text.contains("there is no such folder") && !text.contains("holds"), "{text}");
}
