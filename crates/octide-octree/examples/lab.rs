use glam::{DVec3, IVec3};
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::index::*;
use octide_core::octree::*;
use octide_core::scene::*;
use octide_core::surface::redistance::{self, redistance};
use octide_octree::mesh::Mesh;
use octide_octree::tension::*;
use octide_octree::*;

const C: DVec3 = DVec3::new(0.512, 0.487, 0.531);

fn mesh(n: u32, t: bool) -> Mesh {
    let levels = u8::from(t);
    let dx = 1.0 / f64::from(n << levels);
    let grid = RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::splat(n as i32), |_| true);
    let even = |c: &CellBox| c.center.cmpgt(DVec3::splat(0.5)).bitmask().count_ones().is_multiple_of(2);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| t && even(c)))
}

fn errors(mesh: &Mesh, phi: &Field<CellId, f64>, exact: impl Fn(DVec3) -> f64) -> String {
    let at = at_cells(mesh, phi, (0..mesh.n_faces()).map(|i| FaceId(i as u32)));
    let mut all = [(0.0, 0.0, 0.0f64, 0.0); 3];
    for i in 0..mesh.n_faces() {
        let k = FaceId(i as u32);
        if mesh.faces.is_wall(k) { continue; }
        let s = mesh.faces.stencil(&mesh.tree, k);
        let n_in = s.iter().filter(|&(c, _)| phi[c] < 0.0).count();
        if n_in == 0 || n_in == s.n { continue; }
        let e = at_crossing(mesh, phi, &at, |c| phi[c] < 0.0, k) / exact(DVec3::ZERO) - 1.0;
        let t = mesh.faces.is_t_junction(&mesh.tree, k);
        let reg = s.iter().all(|(c, _)| mesh.contacts.is_regular(c));
        let b = &mut all[if t { 2 } else if reg { 0 } else { 1 }];
        b.0 += 1.0; b.1 += e; b.2 = b.2.max(e.abs()); b.3 += e * e;
    }
    ["regular", "near T", "T"].iter().zip(all).filter(|(_, b)| b.0 > 0.0).map(|(n, b)| {
        let mean = b.1 / b.0;
        format!("{n} ({}): bias {:+.2e} rms {:.2e} max {:.2e}; ", b.0, mean, (b.3 / b.0 - mean * mean).max(0.0).sqrt(), b.2)
    }).collect()
}

fn curv() {
    let r0 = 0.31;
    for t in [false, true] {
        for n in [20u32, 40, 80] {
            let m = mesh(n, t);
            let sphere = |x: DVec3| x.distance(C) - r0;
            let phi = Field::from_vec((0..m.n_cells()).map(|i| sphere(m.tree.center(CellId(i as u32)))).collect());
            println!("t {t} R/h {:.1} exact: {}", r0 * n as f64, errors(&m, &phi, |x| 2.0 / r0 + 0.0 * x.x));
            let re = Field::from_vec(redistance(&m, &phi, &redistance::Params::default()).0);
            println!("   redistanced: {}", errors(&m, &re, |x| 2.0 / r0 + 0.0 * x.x));
            let kept = keep_near(&m, &phi, re);
            println!("   kept: {}", errors(&m, &kept, |x| 2.0 / r0 + 0.0 * x.x));
        }
    }
}

/// P2 amplitude from the surface mesh... by φ samples along rays
fn radius(sim: &OctreeLiquid, c: DVec3, dir: DVec3) -> f64 {
    let s = sim.sampler();
    let (mut lo, mut hi) = (0.0, 0.48);
    for _ in 0..40 {
        let mid = 0.5 * (lo + hi);
        if s.distance(c + mid * dir) < 0.0 { lo = mid } else { hi = mid }
    }
    0.5 * (lo + hi)
}

/// (a0, a2) about z... along axis x
fn modes(sim: &OctreeLiquid, c: DVec3) -> (f64, f64) {
    // Gauss-Legendre 8 points in cosθ, 8 azimuths
    let gx = [0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363];
    let gw = [0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763];
    let (mut a0, mut a2) = (0.0, 0.0);
    for i in 0..4 { for s in [-1.0, 1.0] {
        let mu: f64 = s * gx[i];
        for j in 0..8 {
            let az = (j as f64 + 0.3) * std::f64::consts::PI / 4.0;
            let st = (1.0 - mu * mu).sqrt();
            let r = radius(sim, c, DVec3::new(mu, st * az.cos(), st * az.sin()));
            let w = gw[i] / 8.0;
            a0 += 0.5 * w * r;
            a2 += 2.5 * w * r * 0.5 * (3.0 * mu * mu - 1.0);
        }
    }}
    (a0, a2)
}

fn drop_scene(cells_d: f64, eps: f64, adapt: bool) -> (Scene, f64, DVec3) {
    let n = ((2.0 * cells_d / 8.0).ceil() * 8.0) as u32; // domain 1 = 2+ diameters
    let r = 0.5 * cells_d / f64::from(n);
    let c = DVec3::splat(0.5) + DVec3::new(0.12, -0.23, 0.31) / f64::from(n);
    let mut s = Scene::empty("octree", DVec3::ONE, n, env("LEVELS", 3.0) as u8);
    s.physics.gravity = DVec3::ZERO;
    s.physics.density = 1.0;
    s.physics.surface_tension = r.powi(3) / 8.0; // ω = 1
    s.adaptivity.along_surface = adapt;
    s.time.fps = 0.01;
    let shape = if eps > 0.0 {
        // prolate spheroid along x of the same volume
        let a = r * (1.0 + eps); let b = r / (1.0 + eps).sqrt();
        Shape::Ellipsoid { center: c, radii: DVec3::new(a, b, b) }
    } else { Shape::Sphere { center: c, radius: r } };
    s.liquids = vec![Liquid { shape, velocity: DVec3::ZERO }];
    (s, r, c)
}

fn env(name: &str, d: f64) -> f64 { std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(d) }

fn staticd(cells: f64, imposed: bool) {
    let (mut s, r, c) = drop_scene(cells, 0.0, env("ADAPT", 0.0) > 0.0);
    s.numerics.tolerance = env("TOL", 1e-8);
    s.numerics.volume_correction = env("VC", 1.0) > 0.0;
    let mut p = Params::from_scene(&s);
    if imposed { p.imposed_curvature = Some(2.0 / r); }
    let d = 2.0 * r;
    let (sigma, rho) = (s.physics.surface_tension, 1.0);
    let tc = (rho * d.powi(3) / sigma as f64).sqrt();
    let us = (sigma / (rho * d) as f64).sqrt();
    let mut sim = OctreeLiquid::with_params(&s, p);
    let end = env("TIMES", 1.0) * tc;
    let mut next = 0.0;
    let (mut steps, mut most) = (0, 0.0f64);
    println!("static D/h {cells} imposed {imposed}: dt {:.3e} tc {tc:.3e} cells {}", sim.max_dt(), sim.state().mesh.n_cells());
    while sim.time() < end {
        let rep = sim.step(env("DT", 1.0) * sim.max_dt()).unwrap();
        steps += 1;
        most = most.max(rep.max_speed / us);
        if sim.time() >= next {
            let st = sim.state();
            let pm: Vec<f64> = st.mesh.tree.cells().filter(|&c| st.phi[c] < -2.0 * st.mesh.tree.size(c)).map(|c| st.pressure[c]).collect();
            let pm = pm.iter().sum::<f64>() / pm.len() as f64;
            let tt = sim.totals();
            let m = tt.volume;
            print!("   |mom| {:.2e} urms {:.2e} c {:.2e}", tt.momentum.length() / m / us, (2.0 * tt.kinetic_energy / m).sqrt() / us, (tt.center.unwrap() - c).length() / r);
            println!("  t/tc {:.3} step {steps} u {:.3e} most {most:.3e} p {:.5} it {} drift {:.2e} T {}", sim.time() / tc, rep.max_speed / us, pm * r / (2.0 * sigma), rep.solver_iterations, rep.volume_drift, rep.cut_t_faces);
            next += end / env("ROWS", 10.0);
        }
    }
}

fn oscillate(cells: f64) {
    let eps = env("EPS", 0.05);
    let (mut s, r, c) = drop_scene(cells, eps, env("ADAPT", 0.0) > 0.0);
    s.numerics.tolerance = env("TOL", 1e-4);
    s.numerics.volume_correction = env("VC", 1.0) > 0.0;
    let mut sim = OctreeLiquid::new(&s);
    let end = env("PERIODS", 1.3) * 2.0 * std::f64::consts::PI;
    let mut last = (0.0, modes(&sim, c).1);
    let mut steps = 0;
    let mut cross = vec![];
    let mut top = 0.0f64;
    let frac = env("DT", 1.0);
    println!("osc D/h {cells}: dt {:.3e} a2/R {:.5}", frac * sim.max_dt(), last.1 / r);
    let mut tops = vec![];
    while sim.time() < end {
        let dt = frac * sim.max_dt();
        let rep = sim.step(dt).unwrap();
        steps += 1;
        if steps % 4 == 0 {
            let a = modes(&sim, c).1;
            let t = sim.time();
            top = if a.abs() > f64::abs(top) { a } else { top };
            if (a > 0.0) != (last.1 > 0.0) {
                cross.push(last.0 + (t - last.0) * last.1 / (last.1 - a));
                tops.push(top / r); top = 0.0;
                let w = if cross.len() > 1 { std::f64::consts::PI * (cross.len() - 1) as f64 / (cross[cross.len() - 1] - cross[0]) } else { std::f64::consts::FRAC_PI_2 / cross[0] };
                println!("  crossing {:.4} ω/ω2 {:.5} top before {:.5} steps {steps} u {:.3} drift {:.1e}", cross[cross.len() - 1], w, tops[tops.len() - 1], rep.max_speed / r, rep.volume_drift);
            }
            if std::env::var("DUMP").is_ok() { println!("S {t} {}", a / r); }
            last = (t, a);
        }
    }
    println!("  end a2/R {:.5}", last.1 / r);
    let rep = sim.step(1e-6).unwrap();
    println!("  cells {} {:?}", rep.cells, rep.stages.iter().map(|s| format!("{} {:.1}ms", s.0, 1e3 * s.1)).collect::<Vec<_>>());
}

fn p2(d: DVec3) -> f64 { let mu = d.normalize().x; 0.5 * (3.0 * mu * mu - 1.0) }

fn response() {
    use octide_octree::apertures::Apertures;
    use octide_octree::extend::*;
    use octide_octree::project::*;
    use octide_octree::solids::Solids;
    let r0 = 0.31;
    for n in [20u32, 27, 40, 54, 80] {
        let m = mesh(n, false);
        let h = 1.0 / n as f64;
        let phi: Field<CellId, f64> = Field::from_vec((0..m.n_cells()).map(|i| m.tree.center(CellId(i as u32)).distance(C) - r0).collect());
        let ap = Apertures::new(&m, &Solids::default());
        let mut u: Field<FaceId, f64> = Field::filled(m.n_faces(), 0.0);
        let mut sys = assemble(&m, &phi, &ap, &u, 0.0, octide_octree::params::FreeSurface::Spd).unwrap();
        for i in 0..m.n_faces() {
            let k = FaceId(i as u32);
            let f = sys.of_constant(&m, k);
            if f != 0.0 {
                // crossing
                let s = m.faces.stencil(&m.tree, k);
                let (a, b) = (s.cells[0], s.cells[1]);
                let th = phi[a] / (phi[a] - phi[b]);
                let x = m.tree.center(a).lerp(m.tree.center(b), th);
                u[k] += p2(x - C) * f;
            }
        }
        sys.set_velocity(&m, &ap, &u);
        let mut p = vec![0.0; sys.cells.len()];
        let (sc, _, _) = drop_scene(8.0, 0.0, false);
        let mut pa = Params::from_scene(&sc);
        pa.tolerance = 1e-10;
        PressureSolver::default().solve(&m, &sys, &mut p, &pa).unwrap();
        let g = sys.gradient(&m, &p);
        let valid: Field<FaceId, bool> = Field::from_vec((0..m.n_faces()).map(|i| sys.acts_on(FaceId(i as u32))).collect());
        for i in 0..m.n_faces() { let k = FaceId(i as u32); u[k] -= g[k]; }
        // exact u = -grad(r^2 P2 / R^2)
        let exact = |x: DVec3| { let d = x - C; -(DVec3::new(2.0 * d.x, -d.y, -d.z)) / (r0 * r0) };
        let mut e = [(0.0, 0.0); 2];
        for i in 0..m.n_faces() {
            let k = FaceId(i as u32);
            if !valid[k] { continue; }
            let s = m.faces.stencil(&m.tree, k);
            let cut = s.iter().any(|(c, _)| phi[c] >= 0.0);
            let x = m.face_position(k);
            let ex = exact(x)[m.faces.axis(k)];
            let near = (x - C).length() > r0 - 2.0 * h;
            if cut { e[0].0 += u[k] * ex; e[0].1 += ex * ex; } else if near { e[1].0 += u[k] * ex; e[1].1 += ex * ex; }
        }
        let mut res = vec![];
        for lin in [false, true] {
            let f = if lin { continue_velocity } else { extend_velocity };
            let v = f(&m, &phi, &ap, u.clone(), &valid);
            let corners = octide_octree::nodal::corner_velocity(&m, &v);
            let (mut a, mut ac, mut b) = (0.0, 0.0, 0.0);
            for i in 0..4000 {
                let z = 1.0 - 2.0 * (i as f64 + 0.5) / 4000.0;
                let t = i as f64 * 2.399963;
                let d = DVec3::new((1.0 - z * z).sqrt() * t.cos(), (1.0 - z * z).sqrt() * t.sin(), z);
                let x = C + r0 * d;
                let un: f64 = (0..3).map(|ax| d[ax] * octide_octree::interpolate::sample_faces(&m, &v, ax, x, DVec3::ZERO)).sum();
                let uc = d.dot(octide_octree::nodal::velocity_at(&m, &corners, x));
                let ex = d.dot(exact(x));
                a += un * ex; ac += uc * ex; b += ex * ex;
            }
            res.push((a / b - 1.0, ac / b - 1.0));
        }
        println!("R/h {:.1}: faces cut {:+.4} near {:+.4}; surface const {:+.4} (corners {:+.4}) linear {:+.4} (corners {:+.4})", r0 / h, e[0].0 / e[0].1 - 1.0, e[1].0 / e[1].1 - 1.0, res[0].0, res[0].1, res[1].0, res[1].1);
        // curvature response of a spheroid
        let eps = 0.02;
        let sh = Shape::Ellipsoid { center: C, radii: DVec3::new(r0 * (1.0 + eps), r0 / (1.0f64 + eps).sqrt(), r0 / (1.0f64 + eps).sqrt()) };
        let phi: Field<CellId, f64> = Field::from_vec((0..m.n_cells()).map(|i| sh.distance(m.tree.center(CellId(i as u32)))).collect());
        let at = at_cells(&m, &phi, (0..m.n_faces()).map(|i| FaceId(i as u32)));
        let (mut xx, mut xy, mut sx, mut sy, mut sn) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for i in 0..m.n_faces() {
            let k = FaceId(i as u32);
            if m.faces.is_wall(k) { continue; }
            let s = m.faces.stencil(&m.tree, k);
            let n_in = s.iter().filter(|&(c, _)| phi[c] < 0.0).count();
            if n_in == 0 || n_in == s.n { continue; }
            let (a, b) = (s.cells[0], s.cells[1]);
            let th = phi[a] / (phi[a] - phi[b]);
            let x = p2(m.tree.center(a).lerp(m.tree.center(b), th) - C);
            let y = at_crossing(&m, &phi, &at, |c| phi[c] < 0.0, k);
            xx += x * x; xy += x * y; sx += x; sy += y; sn += 1.0;
        }
        let slope = (xy - sx * sy / sn) / (xx - sx * sx / sn);
        println!("    curvature response over 4 eps/R: {:+.4}", slope / (4.0 * eps / r0) - 1.0);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n = args.get(2).and_then(|v| v.parse().ok()).unwrap_or(12.0);
    match args[1].as_str() {
        "curv" => curv(),
        "resp" => response(),
        "imposed" => staticd(n, true),
        "static" => staticd(n, false),
        _ => oscillate(n),
    }
}
