use super::*;
use crate::testing::*;
use crate::*;
use std::time::Instant;

#[test]
#[ignore]
fn bench() {
    for m in [64, 100, 128] {
        let a = poisson(m, true);
        let n = a.n_rows();
        let b = noise(n, 1);
        for threads in [1,2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for block_rows in [4096, 8192, 16384, 32768, 65536] {
            pool.install(|| {
                let t = Instant::now();
                let mic = Mic0::new(&a, &Mic0Params { block_rows, ..Default::default() }).unwrap();
                let setup = t.elapsed().as_secs_f64();
                let mut ws = Workspace::default();
                let mut x = vec![0.0; n];
                let params = PcgParams { tolerance: 1e-4, ..Default::default() };
                pcg(&a, &mic, &b, &mut x, &params, None, &mut ws).unwrap();
                x.fill(0.0);
                let t = Instant::now();
                let report = pcg(&a, &mic, &b, &mut x, &params, None, &mut ws).unwrap();
                let s = t.elapsed().as_secs_f64();
                println!(
                    "{m} threads {threads} block {block_rows}: setup {:.1} ms ({:.0} ns/row), {} it, {:.1} ms, {:.2} ns/row/it, M {} B/row",
                    setup * 1e3, setup*1e9/n as f64, report.iterations, s * 1e3, s * 1e9 / n as f64 / report.iterations as f64, mic.bytes()/n
                );
                let (mut y, mut z) = (vec![0.0; n], vec![0.0; n]);
                if block_rows == 32768 {
                let t = Instant::now();
                for _ in 0..20 { a.apply_dot(&b, &mut y); }
                let t_a = t.elapsed().as_secs_f64() / 20.0 / n as f64;
                let t = Instant::now();
                for _ in 0..20 { mic.apply_dot(&b, &mut z); }
                let t_m = t.elapsed().as_secs_f64() / 20.0 / n as f64;
                let t = Instant::now();
                for _ in 0..20 { vector::reduce_residual(&mut y, 0.1, &b, Some(&z)); }
                let t_r = t.elapsed().as_secs_f64() / 20.0 / n as f64;
                let t = Instant::now();
                for _ in 0..20 { vector::advance(&mut x, 0.1, &mut y, &z, 0.5); }
                let t_x = t.elapsed().as_secs_f64() / 20.0 / n as f64;
                println!("A {:.2} M {:.2} r {:.2} xp {:.2} ns/row", t_a*1e9, t_m*1e9, t_r*1e9, t_x*1e9);
                }
            });
        }
        }
    }
}
