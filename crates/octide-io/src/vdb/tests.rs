use super::half::half;
use super::*;
