//! What is not an automorphism is not taken for one, and trees mean what they say.

use burnside_lang::murphi;
use burnside_lang::source::Source;

use super::*;

/// Two named processes that give way to each other.
const TEXT: &str = "var x : 0..3; y : 0..3; z : 0..3; turn : enum { A, B };
    startstate x := 0; y := 0; z := 0; turn := A; end;
    rule \"x\" turn = A & x < 3 ==> x := x + 1; turn := B; end;
    rule \"y\" turn = B & y < 3 ==> y := y + 1; turn := A; end;
    rule \"z\" x + y < 3 & z < 2 ==> z := z + 1; end;";

fn trees(text: &str) -> Trees {
    let (model, diagnostics) = murphi::load(&Source::new("test.m", text), &[]);
    Trees::of(&model.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("small")
}

#[test]
fn every_other_permutation_is_refused() {
    let trees = trees(TEXT);
    let steps = trees.steps(&[]);
    // Variables x, y, z, turn, and the values A and B; those of the other ranges are used as numbers.
    assert_eq!(trees.points.count, 6);
    let mut accepted = Vec::new();
    for code in 0..6u32.pow(6) {
        let images: Vec<u32> = (0..6).map(|place| code / 6u32.pow(place) % 6).collect();
        let is_permutation = (0..6).all(|point| images.contains(&point));
        if is_permutation && search::is_automorphism(&steps, &images) {
            accepted.push(images);
        }
    }
    accepted.sort_unstable();
    assert_eq!(accepted, [[0, 1, 2, 3, 4, 5], [1, 0, 2, 3, 5, 4]]);
    assert_eq!(search::automorphisms(6, &steps), [[1, 0, 2, 3, 5, 4]]);
}

#[test]
fn texts_of_trees_are_equal_only_for_equal_trees() {
    let leaf = Node::Leaf;
    let text = |node: &Node| node.write(&[0, 1]);
    let bag = |a: i64, b: i64| Node::Bag(vec![leaf(a), leaf(b)]);
    assert_eq!(text(&bag(1, 2)), text(&bag(2, 1)));
    assert_ne!(text(&Node::Seq(vec![leaf(1), leaf(2)])), text(&Node::Seq(vec![leaf(2), leaf(1)])));
    assert_ne!(text(&bag(1, 2)), text(&Node::Seq(vec![leaf(1), leaf(2)])));
    assert_ne!(text(&Node::Point(1)), text(&leaf(1)));
    let nested = |a: Vec<Node>, b: Vec<Node>| Node::Seq(vec![Node::Seq(a), Node::Seq(b)]);
    assert_ne!(text(&nested(vec![leaf(1), leaf(2)], vec![])), text(&nested(vec![leaf(1)], vec![leaf(2)])));
}
