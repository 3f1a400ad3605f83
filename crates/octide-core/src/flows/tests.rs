use super::*;
use crate::scene::Heading;

fn jet(scene: Scene) -> Scene {
    let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 };
    let inflows = vec![Inflow::new(shape, DVec3::NEG_Y)];
    Scene { inflows, ..scene }
}

#[test]
fn water_without_room_is_an_error_unless_it_can_leave() {
    let now = Moment { time: 0.0, dt: 0.01 };
    let control = VolumeControl::new(1.0);
    let closed = jet(Scene::empty("octree", DVec3::ONE, 16, 1));
    let flows = Flows::of(&closed);
    assert!(matches!(flows.check_room(1e-3, &control, now), Err(StepError::Full { .. })));
    assert!(flows.check_room(0.0, &control, now).is_ok());
    assert!(flows.check_room(1e-14, &control, now).is_ok(), "rounding");

    let open = Scene { open: OpenSides::of(&[Heading { axis: 1, forward: true }]), ..closed.clone() };
    assert!(Flows::of(&open).check_room(1e-3, &control, now).is_ok());
    let later = Span { start: 1.0, end: 2.0 };
    let shape = Shape::Sphere { center: DVec3::splat(0.2), radius: 0.1 };
    let drained =
        Flows::of(&Scene { outflows: vec![Outflow { when: later, ..Outflow::new(shape) }], ..closed });
    assert!(drained.check_room(1e-3, &control, now).is_err(), "the outflow does not act yet");
    assert!(drained.check_room(1e-3, &control, Moment { time: 1.5, dt: 0.01 }).is_ok());
}
